"""What a bank reads: fixed vectors, or a network over characters that learns with the probes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numprobe.embedders import LearnedEmbedder, Reading
from numprobe.kernels.layers import distinct
from numprobe.kernels.parameters import Layout, Weights

SOME = 1000
"""How many numbers serve to estimate the centre and the length of a network's vectors."""

FAR = 8.0
"""Vectors that are this many times longer than others, after centring, are outliers. They don't set the scale."""

HUGE, HUGE_SHARE = 10.0, 0.01
"""A dimension that deviates this many times more than the others, all but the largest hundredth, shrinks to that."""


@dataclass(frozen=True)
class Rows:
    """(datasets, n, dimension) vectors that stay where they are, such as in a file, until a dataset's are asked for."""

    source: Tensor
    """(tables, texts, dimension)"""
    which: Sequence[int]
    """Each dataset's table."""
    rows: Tensor
    """(datasets, n): its rows there. Vectors come to the device of these."""

    @property
    def shape(self) -> tuple[int, int, int]:
        return *self.rows.shape, self.source.shape[2]

    def __len__(self) -> int:
        return len(self.which)

    def __iter__(self) -> Iterator[Tensor]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, dataset: int) -> Tensor:
        return self.source[self.which[dataset]][self.rows[dataset].cpu()].to(self.rows.device)


Table = Tensor | Rows
"""(datasets, n, dimension) vectors."""


@dataclass(frozen=True)
class FixedInputs:
    """The numbers of one part of a split, for every dataset of a bank."""

    table: Table

    @property
    def count(self) -> int:
        return self.table.shape[1]

    @property
    def dimension(self) -> int:
        return self.table.shape[2]

    def layout(self) -> Layout:
        return {}

    def constants(self, weights: Weights) -> Weights:
        return {}

    def vectors(self, weights: Weights, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors, and the positions in them of (datasets, items, arity) numbers."""
        return self._tensor, numbers

    def among(self, datasets: Tensor) -> "FixedInputs":
        """The same for some of the datasets."""
        if datasets.tolist() == list(range(len(self.table))):
            return self
        return FixedInputs(self._tensor[datasets])

    @property
    def _tensor(self) -> Tensor:
        return torch.stack(list(self.table)) if isinstance(self.table, Rows) else self.table


def scaled(tables: Sequence[Table]) -> list[FixedInputs]:
    """Centre and scale (datasets, n, dimension) vectors, all by what brings the first table to a length of one."""
    made = [torch.empty(table.shape, dtype=torch.float32, device=table[0].device) for table in tables]
    for at in range(len(tables[0])):  # one after another: double precision takes memory
        scaling = Scaling.of(tables[0][at][None].double())
        for table, scaled_table in zip(tables, made, strict=True):
            scaled_table[at] = scaling.apply(table[at][None].double())[0]
    return [FixedInputs(table) for table in made]


@dataclass(frozen=True)
class Scaling:
    """Brings vectors to a length of one on average. A few huge rows or dimensions don't drown the others.

    All dimensions share one factor, so that one that hardly varies stays small; only dimensions far beyond the rest
    shrink. Multiplying the vectors by a power of two changes no bit.
    """

    centre: Tensor
    """(datasets, 1, dimension)"""
    factors: Tensor
    """(datasets, 1, dimension)"""

    @classmethod
    def of(cls, vectors: Tensor) -> "Scaling":
        lengths = (vectors - vectors.median(dim=1, keepdim=True).values).norm(dim=2, keepdim=True)
        typical = lengths.median(dim=1, keepdim=True).values
        usual = ((lengths <= FAR * typical) | (typical == 0)).to(vectors.dtype)  # most may be one and the same
        count = usual.sum(dim=1, keepdim=True)
        centre = (vectors * usual).sum(dim=1, keepdim=True) / count
        variances = (vectors - centre).mul_(usual).square_().sum(dim=1, keepdim=True) / count
        dimension = vectors.shape[2]
        others = max(1, dimension - math.ceil(dimension * HUGE_SHARE))
        largest = HUGE**2 * variances.sort(dim=2).values[:, :, :others].mean(dim=2, keepdim=True)
        shrunk = (largest / variances).where((variances > largest) & (largest > 0), 1)
        total = (variances * shrunk).sum(dim=2, keepdim=True)
        return cls(centre, (shrunk / total.where(total > 0, 1)).sqrt())

    def apply(self, vectors: Tensor) -> Tensor:
        made = (vectors - self.centre).mul_(self.factors)
        lengths: Tensor = made.norm(dim=2, keepdim=True)
        # Huge vectors come closer, in the same order: their length grows as a logarithm.
        return made.mul_(((1 + (lengths / FAR).log()) * FAR / lengths).where(lengths > FAR, 1))


@dataclass(frozen=True)
class LearnedInputs:
    """The texts of the numbers, read by an embedder."""

    embedder: LearnedEmbedder
    reading: Reading
    rows: Tensor
    """(datasets, n) texts of the reading."""

    @property
    def count(self) -> int:
        return self.rows.shape[1]

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def layout(self) -> Layout:
        return {f"embedder.{name}": parameter for name, parameter in self.embedder.layout().items()}

    def vectors(self, weights: Weights, numbers: Tensor) -> tuple[Tensor, Tensor]:
        mentioned, positions = distinct(numbers, self.count)
        reading = self.reading.take(self.rows.gather(1, mentioned))
        vectors = self._read(weights, reading)
        return (vectors - weights["centre"]) * weights["factors"], positions

    @torch.no_grad()
    def constants(self, weights: Weights) -> Weights:
        """Centre and scale of the untrained vectors, so that a probe starts as it does with fixed ones."""
        some = self.rows[:, :: math.ceil(self.count / SOME)]
        scaling = Scaling.of(self._read(weights, self.reading.take(some)).double())
        return {"centre": scaling.centre.float(), "factors": scaling.factors.float()}

    def among(self, datasets: Tensor) -> "LearnedInputs":
        return replace(self, rows=self.rows[datasets])

    def _read(self, weights: Weights, reading: Reading) -> Tensor:
        own = {name.removeprefix("embedder."): weights[name] for name in self.layout()}
        return self.embedder.vectors(own, reading)


Inputs = FixedInputs | LearnedInputs


def fixed_table(inputs: Inputs) -> Table:
    """The vectors that inputs hold, unless a network learns them. Take one dataset's at a time: they may be large."""
    if not isinstance(inputs, FixedInputs):
        raise TypeError("this probe takes fixed vectors")
    return inputs.table


def in_order(numbers: Tensor) -> Tensor:
    """Positions for (datasets, items, arity) numbers whose vectors follow one another."""
    datasets, items, arity = numbers.shape
    return torch.arange(items * arity, device=numbers.device).view(1, items, arity).expand(datasets, -1, -1)
