"""What a bank reads: fixed vectors, or a network over characters that learns with the probes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numprobe.embedders import LearnedEmbedder, Reading
from numprobe.kernels.layers import distinct
from numprobe.kernels.parameters import Layout, Weights

SOME = 1000
"""How many numbers serve to estimate the centre and the length of a network's vectors."""


@dataclass(frozen=True)
class FixedInputs:
    """The numbers of one part of a split, for every dataset of a bank, as (datasets, n, dimension) vectors."""

    table: Tensor

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
        return self.table, numbers


def scaled(tables: Sequence[Tensor], length: float) -> list[FixedInputs]:
    """Centre and scale (datasets, n, dimension) vectors, all by what brings the first table to a length."""
    centre, factor = _centre_and_factor(tables[0], length)
    return [FixedInputs(((table - centre) * factor).float()) for table in tables]


def _centre_and_factor(vectors: Tensor, length: float) -> tuple[Tensor, Tensor]:
    """The mean of (…, n, dimension) vectors, and the factor that brings their average distance from it to a length.

    One factor serves all dimensions, so that one that hardly varies stays small.
    """
    centre = vectors.mean(dim=1, keepdim=True)
    own = (vectors - centre).square().sum(dim=2, keepdim=True).mean(dim=1, keepdim=True).sqrt()
    return centre, length / own.clamp(min=1e-12)


@dataclass(frozen=True)
class LearnedInputs:
    """The texts of the numbers, read by an embedder."""

    embedder: LearnedEmbedder
    reading: Reading
    rows: Tensor
    """(datasets, n) texts of the reading."""
    length: float
    """The length of the vectors when training starts."""

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
        return (vectors - weights["centre"]) * weights["factor"], positions

    @torch.no_grad()
    def constants(self, weights: Weights) -> Weights:
        """Centre and scale of the untrained vectors, so that a probe starts as it does with fixed ones."""
        some = self.rows[:, :: math.ceil(self.count / SOME)]
        centre, factor = _centre_and_factor(self._read(weights, self.reading.take(some)), self.length)
        return {"centre": centre, "factor": factor}

    def _read(self, weights: Weights, reading: Reading) -> Tensor:
        own = {name.removeprefix("embedder."): weights[name] for name in self.layout()}
        return self.embedder.vectors(own, reading)


Inputs = FixedInputs | LearnedInputs


def fixed_table(inputs: Inputs) -> Tensor:
    """The vectors that inputs hold, (datasets, n, dimension), unless a network learns them."""
    if not isinstance(inputs, FixedInputs):
        raise TypeError("this probe takes fixed vectors")
    return inputs.table


def in_order(numbers: Tensor) -> Tensor:
    """Positions for (datasets, items, arity) numbers whose vectors follow one another."""
    datasets, items, arity = numbers.shape
    return torch.arange(items * arity, device=numbers.device).view(1, items, arity).expand(datasets, -1, -1)
