"""Least squares for all datasets of a bank, one dataset after another, so that memory holds one in double precision."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

from numprobe.probes.base import Dataset, Prepare, development
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.fitting import CHOOSING_ITEMS
from numprobe.probes.engine.inputs import FixedInputs, fixed_table

AT_ONCE = 100_000
"""More vectors than this are placed and summed in parts, which bounds memory."""

RESOLUTION = 1e-12
"""Directions with less than this share of the largest variance are rounding noise of float32 vectors."""


@dataclass(frozen=True)
class Frame:
    """Coordinates for the vectors of one dataset, with differences of at most 1 among those to learn from.

    Least squares takes nothing from directions in which the vectors to learn from don't differ, so there need not be
    more dimensions than vectors.
    """

    origin: Tensor
    """(dimension,): the first vector. Equal vectors are exactly zero from there."""
    reach: Tensor
    basis: Tensor | None = None
    """(dimension, vectors), where there are more dimensions than vectors."""

    @classmethod
    def of(cls, vectors: Tensor) -> "Frame":
        """The frame of (n, dimension) vectors to learn from."""
        origin = vectors[0].double()
        reach = torch.stack([(part - origin).abs_().max() for part in torch.split(vectors, AT_ONCE)]).max()
        plain = cls(origin, reach.where(reach > 0, 1))
        if vectors.shape[1] <= vectors.shape[0]:
            return plain
        return cls(plain.origin, plain.reach, torch.linalg.qr(plain.place(vectors).mT).Q)

    def place(self, vectors: Tensor) -> Tensor:
        """(n, coordinates) of (n, dimension) vectors."""
        placed = self._from_origin(vectors)
        return placed if self.basis is None else placed @ self.basis

    def outside(self, vectors: Tensor) -> Tensor:
        """The sum of squares that the coordinates of (n, dimension) vectors leave out."""
        if self.basis is None:
            return torch.zeros((), dtype=torch.float64)
        placed = self._from_origin(vectors)
        return (placed - placed @ self.basis @ self.basis.mT).square().sum()

    def _from_origin(self, vectors: Tensor) -> Tensor:
        return (vectors - self.origin).div_(self.reach)  # in double precision, as the origin is


@dataclass(frozen=True)
class Solution:
    """Several regressions of each dataset, each with one or more outputs."""

    frames: Sequence[Frame]
    weights: Tensor
    """(datasets, regressions, outputs, arity, dimension)"""
    constants: Tensor
    """(datasets, regressions, outputs)"""

    def predict(self, data: Data) -> Tensor:
        """(datasets, regressions, outputs, items) values: the sum of what each number of an item contributes."""
        made = []
        for frame, weights, vectors, numbers in zip(
            self.frames, self.weights, fixed_table(data.inputs), data.numbers, strict=True
        ):
            flat = weights.flatten(0, 2)
            parts = [flat @ frame.place(part).mT for part in torch.split(vectors, AT_ONCE)]
            shares = torch.cat(parts, dim=1).view(*weights.shape[:3], -1)
            made.append(shares.gather(3, numbers.mT.long().expand(*weights.shape[:2], -1, -1)).sum(dim=2))
        return torch.stack(made) + self.constants[..., None]


def solve(data: Data, penalties: Tensor, targets: Tensor | None = None) -> Solution:
    """The least-squares weights of least norm for each of (datasets, regressions) penalties.

    The penalty on their squares is given as a share of the largest variance. The constant has none. The targets are
    (datasets, items, outputs), by default the data's own.
    """
    targets = data.targets[:, :, None] if targets is None else targets
    frames, weights, constants = [], [], []
    for at, vectors in enumerate(fixed_table(data.inputs)):
        frame = Frame.of(vectors)
        own, constant = _solved(frame, vectors, data.numbers[at].mT.long(), targets[at].double(), penalties[at])
        plain = Frame(frame.origin, frame.reach)
        frames.append(plain)
        weights.append(own if frame.basis is None else own @ frame.basis.mT)
        constants.append(constant)
    return Solution(frames, torch.stack(weights), torch.stack(constants))


def _solved(
    frame: Frame, vectors: Tensor, numbers: Tensor, targets: Tensor, penalties: Tensor
) -> tuple[Tensor, Tensor]:
    """(regressions, outputs, arity, coordinates) weights and (regressions, outputs) constants of one dataset."""
    guesses = targets.mean(dim=0)
    if len(vectors) > AT_ONCE and len(numbers) == 1:
        means, gram, moments = _large_system(frame, vectors, numbers[0], targets - guesses)
    else:
        means, gram, moments = _system(frame.place(vectors), numbers, targets - guesses)
    variances, axes = torch.linalg.eigh(gram)
    largest = variances[-1]
    along = (axes.mT @ moments).mT / (variances + penalties[:, None, None] * largest)
    along = along.where(variances > RESOLUTION * largest, 0)
    weights = (along.flatten(0, 1) @ axes.mT).view(*along.shape[:2], -1)
    constants = guesses - (weights @ means.flatten()[:, None])[..., 0]
    return weights.view(*weights.shape[:2], *means.shape), constants


def _large_system(frame: Frame, vectors: Tensor, numbers: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The same as `_system` for single numbers, without all vectors in double precision at once."""
    counts = targets.new_zeros(len(vectors)).scatter_add_(0, numbers, targets.new_ones(len(numbers)))
    totals = targets.new_zeros(len(vectors), targets.shape[1]).index_add_(0, numbers, targets)
    parts = list(zip(*(torch.split(own, AT_ONCE) for own in (vectors, counts, totals)), strict=True))
    means = torch.stack([often @ frame.place(part) for part, often, _ in parts]).sum(dim=0) / len(numbers)
    gram, moments = means.new_zeros(len(means), len(means)), means.new_zeros(len(means), targets.shape[1])
    for part, often, total in parts:
        centred = frame.place(part) - means
        gram += centred.mT @ (often[:, None] * centred)
        moments += centred.mT @ total
    return means[None], gram, moments


def _system(vectors: Tensor, numbers: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The means, the products of all pairs of weights, and those with the targets, of one dataset.

    They are sums over numbers and pairs of numbers, not over items: there are far more pairs than numbers, and laid
    out as vectors, they would not fit into memory.
    """
    arity, items = numbers.shape
    n, size = vectors.shape
    counts = vectors.new_zeros(arity, n).scatter_add_(1, numbers, vectors.new_ones(arity, items))
    totals = torch.stack([vectors.new_zeros(n, targets.shape[1]).index_add_(0, own, targets) for own in numbers])
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
    return means, gram.view(arity * size, -1), (centred.mT @ totals).flatten(0, 1)


@dataclass(frozen=True)
class Penalties:
    """The penalties that development numbers chose, for each dataset and each group of outputs."""

    chosen: Tensor
    """(datasets, groups)"""
    errors: Tensor
    """(datasets, groups): on development numbers, relative to guessing."""
    folds: int


def choose_penalties(
    prepare: Prepare,
    datasets: Sequence[Dataset],
    tried: Sequence[float],
    write: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]],
    groups: int = 1,
) -> Penalties:
    """Find the penalty with the least error on each dataset's development numbers, and that error.

    `write` turns the targets to learn and to answer into (datasets, items, outputs); so many groups of outputs choose
    a penalty each.
    """
    prepared, folded = development(prepare, datasets)
    judged = prepared.answer.thinned(CHOOSING_ITEMS)
    learn, targets = write(prepared.learn.targets, judged.targets)
    penalties = torch.tensor(tried, dtype=torch.float64)
    solution = solve(prepared.learn, penalties.expand(len(folded), -1), learn)
    guesses = learn.double().mean(dim=1, keepdim=True)

    def error(answers: Tensor) -> Tensor:
        """(…, groups) of (…, outputs, items) answers."""
        squares = (answers - targets.double().mT[:, None]).square().mean(dim=3)
        return squares.view(*squares.shape[:2], groups, -1).mean(dim=3).sqrt()

    guessing = error(guesses.mT[:, None])
    errors = error(solution.predict(judged)) / guessing.where(guessing > 0, 1)
    errors = errors.view(len(datasets), -1, *errors.shape[1:])
    least, at = errors.mean(dim=1).min(dim=1)
    return Penalties(penalties[at], least, errors.shape[1])


def regress(
    learn: np.ndarray,
    wanted: np.ndarray,
    judge: np.ndarray,
    truths: np.ndarray,
    asked: Sequence[np.ndarray],
    tried: Sequence[float],
) -> tuple[list[np.ndarray], float]:
    """Answers by the penalty with the least squared error on the rows to judge by, and that error.

    Rows are (n, dimension). Each dimension is scaled by its deviation in those to learn from.

    >>> rows = np.random.default_rng(0).normal(size=(30, 3))
    >>> sums = rows @ [1, 2, 3]
    >>> (answers,), error = regress(rows[:20], sums[:20], rows[20:25], sums[20:25], [rows[25:]], (1.0, 0.0))
    >>> bool(np.allclose(answers, sums[25:])), error < 1e-9
    (True, True)
    """
    centre, scale = learn.mean(axis=0, dtype=np.float64), learn.std(axis=0, dtype=np.float64)
    scale = np.where(scale > 0, scale, 1)

    def data(rows: np.ndarray, targets: np.ndarray) -> Data:
        inputs = FixedInputs(torch.from_numpy((rows - centre) / scale)[None])
        return Data(inputs, torch.arange(len(rows))[None, :, None], torch.from_numpy(targets)[None])

    solution = solve(data(learn, wanted.astype(np.float64)), torch.tensor([tried], dtype=torch.float64))
    answers = [solution.predict(data(rows, np.empty(len(rows))))[0, :, 0].numpy() for rows in (judge, *asked)]
    errors = np.square(answers[0] - truths).mean(axis=1)
    best = int(errors.argmin())
    return [given[best] for given in answers[1:]], float(errors[best])
