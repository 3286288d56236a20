"""Changes of states along a concept, and random ones beside them that are as large.

Least-squares concept erasure (LEACE; Belrose et al., 2023) is the least change after which nothing linear is left.
Twice that change turns what a linear probe reads into its opposite.
"""

from dataclasses import dataclass, replace

import numpy as np
import torch

LEAST = 1e-5
"""Directions that deviate less than this share of the largest deviation are nearly empty: single precision is all that
is there."""
ROUNDING = 1e-13
"""What is smaller than this share is due to rounding."""


@dataclass(frozen=True)
class Eraser:
    """Takes a concept out of states: x - times · removed · (x - centre)."""

    centre: torch.Tensor
    removed: torch.Tensor
    """(dimension, dimension)"""
    rank: int
    times: float = 1
    """1 erases the concept, and 2 turns it into its opposite."""
    alike: torch.Tensor | None = None
    """Where it is a control: what the true eraser removes, whose length every change then has."""

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        """Erase the concept from (rows, dimension) states."""
        moved = (states - self.centre) @ self.removed.T
        if self.alike is not None:
            wanted = ((states - self.centre) @ self.alike.T).norm(dim=1, keepdim=True)
            lengths = moved.norm(dim=1, keepdim=True)
            moved = moved * torch.where(lengths > 0, wanted / lengths, 0)
        return states - self.times * moved


@dataclass(frozen=True)
class Push:
    """Moves all states by the same step."""

    step: torch.Tensor
    """(dimension,)"""
    rank: int = 1

    def __call__(self, states: torch.Tensor) -> torch.Tensor:
        """Push (rows, dimension) states."""
        return states + self.step


def leace(states: np.ndarray, concept: np.ndarray) -> Eraser:
    """The eraser of an (rows, k) concept from (rows, dimension) states, in double precision.

    >>> rng = np.random.default_rng(0)
    >>> states = rng.normal(size=(50, 4))
    >>> erased = leace(states, states[:, :1])(torch.from_numpy(states)).numpy()
    >>> bool(abs(np.corrcoef(erased[:, 1], states[:, 0])[0, 1]) < 1e-9)
    True
    """
    rows, wanted = (torch.from_numpy(np.asarray(given, dtype=np.float64)) for given in (states, concept))
    centre = rows.mean(dim=0)
    centred, wanted = rows - centre, wanted - wanted.mean(dim=0)
    turned, sizes, axes = _factors(centred)
    # In these coordinates the states are white, and small dimensions lose no digits beside huge ones.
    found, shares, _ = torch.linalg.svd(turned.T @ wanted, full_matrices=False)
    found = found[:, shares > ROUNDING * shares.max()]
    white = _projection(found, sizes, axes)
    # Nearly empty directions can't be made white: new states would grow there without bounds. What they share with the
    # concept goes by an orthogonal projection, which lengthens nothing.
    shared = centred.T @ wanted
    left = shared - white @ shared
    left = left - axes @ (axes.T @ left)
    rest, shares, _ = torch.linalg.svd(left, full_matrices=False)
    rest = rest[:, shares > ROUNDING * shared.norm()]
    plain = rest @ rest.T
    return Eraser(centre, white + plain - plain @ white, found.shape[1])


def random_eraser(states: np.ndarray, true: Eraser, rng: np.random.Generator) -> Eraser:
    """An eraser of a random subspace of the same rank, whose changes are as long as those of the true one."""
    rows = torch.from_numpy(np.asarray(states, dtype=np.float64))
    _, sizes, axes = _factors(rows - true.centre)
    drawn, _ = torch.linalg.qr(torch.from_numpy(rng.normal(size=(len(sizes), true.rank))))
    return replace(true, removed=_projection(drawn, sizes, axes), alike=true.removed)


def push(states: np.ndarray, values: np.ndarray, by: float) -> Push:
    """The push by which (rows, dimension) states differ on average where the value is larger by so much.

    >>> values = np.array([1.0, 2.0, 4.0])
    >>> push(np.column_stack((3 * values, values - 1)), values, 10).step.round(decimals=9).tolist()
    [30.0, 10.0]
    """
    rows, centred = np.asarray(states, dtype=np.float64), values - values.mean()
    return Push(torch.from_numpy(by * (rows - rows.mean(axis=0)).T @ centred / np.square(centred).sum()))


def random_push(states: np.ndarray, true: Push, rng: np.random.Generator) -> Push:
    """A push that is as long, in a random direction among those in which the states differ."""
    rows = torch.from_numpy(np.asarray(states, dtype=np.float64))
    _, sizes, axes = _factors(rows - rows.mean(dim=0))
    drawn = (axes * sizes) @ torch.from_numpy(rng.normal(size=len(sizes)))
    return Push(drawn * true.step.norm() / drawn.norm())


def _factors(centred: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The singular vectors and values of states, without the empty directions."""
    turned, sizes, axes = torch.linalg.svd(centred, full_matrices=False)
    there = sizes > LEAST * sizes.max()
    return turned[:, there], sizes[there], axes[there].T


def _projection(found: torch.Tensor, sizes: torch.Tensor, axes: torch.Tensor) -> torch.Tensor:
    """The projection onto directions of the white states, in the coordinates of the states themselves."""
    return (axes * sizes) @ found @ found.T @ (axes / sizes).T
