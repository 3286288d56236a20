"""Least squares for all datasets of a bank at once."""

from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor

from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import fixed_table

RESOLUTION = 1e-12
"""Directions with less than this share of the largest variance are rounding noise of float32 vectors."""


@dataclass(frozen=True)
class Frame:
    """Coordinates for vectors, with differences of at most 1 among those to learn from.

    Least squares takes nothing from directions in which the vectors to learn from don't differ, so there need not be
    more dimensions than vectors.
    """

    origin: Tensor
    """(datasets, 1, dimension): the first vector. Equal vectors are exactly zero from there."""
    reach: Tensor
    """(datasets, 1, 1)"""
    basis: Tensor | None
    """(datasets, dimension, vectors), where there are more dimensions than vectors."""

    @classmethod
    def of(cls, data: Data) -> "Frame":
        table = fixed_table(data.inputs)
        origin = table[:, :1].double()
        reach = torch.stack([(own.double() - first).abs().max() for own, first in zip(table, origin, strict=True)])
        plain = cls(origin, reach.where(reach > 0, 1).view(-1, 1, 1), None)
        if table.shape[2] <= table.shape[1]:
            return plain
        bases = [torch.linalg.qr(own.mT).Q for own in plain.place(data)]
        return cls(plain.origin, plain.reach, torch.stack(bases))

    def place(self, data: Data) -> Tensor:
        """(datasets, n, coordinates) vectors."""
        placed = (fixed_table(data.inputs).double() - self.origin).div_(self.reach)
        return placed if self.basis is None else placed @ self.basis


@dataclass(frozen=True)
class Solution:
    """Several regressions of each dataset."""

    frame: Frame
    weights: Tensor
    """(datasets, regressions, arity, coordinates)"""
    constants: Tensor
    """(datasets, regressions)"""

    def predict(self, data: Data) -> Tensor:
        """(datasets, regressions, items) values: the sum of what each number of an item contributes."""
        vectors = self.frame.place(data)
        shares = torch.matmul(self.weights.flatten(1, 2), vectors.mT).view(*self.weights.shape[:3], -1)
        places = data.numbers.mT.long()[:, None].expand(-1, shares.shape[1], -1, -1)
        return shares.gather(3, places).sum(dim=2) + self.constants[:, :, None]


@dataclass(frozen=True)
class Equations:
    """The normal equations of each dataset, along the axes that separate them. Items and targets are centred."""

    frame: Frame
    means: Tensor
    """(datasets, arity, coordinates)"""
    guesses: Tensor
    """(datasets,): the mean of the targets."""
    axes: Tensor
    """(datasets, arity × coordinates, axes)"""
    variances: Tensor
    """(datasets, axes), ascending."""
    moments: Tensor
    """(datasets, axes)"""

    def solve(self, penalties: Tensor) -> Solution:
        """The least-squares weights of least norm for each of (datasets, regressions) penalties.

        The penalty on their squares is given as a share of the largest variance. The constant has none.
        """
        largest = self.variances[:, None, -1:]
        along = self.moments[:, None] / (self.variances[:, None] + penalties[:, :, None] * largest)
        along = along.where(self.variances[:, None] > RESOLUTION * largest, 0)
        weights = along @ self.axes.mT
        constants = self.guesses[:, None] - (weights @ self.means.flatten(1)[:, :, None])[:, :, 0]
        return Solution(self.frame, weights.view(*weights.shape[:2], *self.means.shape[1:]), constants)


def equations(data: Data) -> Equations:
    """Set up the equations of arity × coordinates weights."""
    frame = Frame.of(data)
    targets = data.targets.double()
    guesses = targets.mean(dim=1)
    systems = [
        _system(vectors, numbers, centred)
        for vectors, numbers, centred in zip(
            frame.place(data), data.numbers.mT.long(), targets - guesses[:, None], strict=True
        )
    ]
    means, grams, moments = (torch.stack(parts) for parts in zip(*systems, strict=True))
    variances, axes = torch.linalg.eigh(grams)
    return Equations(frame, means, guesses, axes, variances, (axes.mT @ moments[:, :, None])[:, :, 0])


def _system(vectors: Tensor, numbers: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The means, the products of all pairs of weights, and those with the targets, of one dataset.

    They are sums over numbers and pairs of numbers, not over items: there are far more pairs than numbers, and laid
    out as vectors, they would not fit into memory.
    """
    arity, items = numbers.shape
    n, size = vectors.shape
    counts = vectors.new_zeros(arity, n).scatter_add_(1, numbers, vectors.new_ones(arity, items))
    totals = vectors.new_zeros(arity, n).scatter_add_(1, numbers, targets.expand(arity, -1))
    means = counts @ vectors / items
    centred = vectors - means[:, None]
    gram = vectors.new_empty(arity, size, arity, size)
    for place in range(arity):
        gram[place, :, place] = centred[place].mT @ (counts[place, :, None] * centred[place])
    for one, other in combinations(range(arity), 2):
        together = torch.sparse_coo_tensor(
            numbers[[one, other]], targets.new_ones(items), (n, n), check_invariants=True
        )
        block = centred[one].mT @ torch.sparse.mm(together, centred[other])
        gram[one, :, other], gram[other, :, one] = block, block.mT
    return means, gram.view(arity * size, -1), (centred.mT @ totals[:, :, None])[:, :, 0].flatten()
