"""What a bank reads: fixed vectors, or a network over characters that learns with the probes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import torch
from torch import Tensor

from numprobe.embedders import LearnedEmbedder, Reading
from numprobe.networks import Layout, Weights, look_up

LENGTH = 0.5
"""About the length of the vectors that a probe reads, after centring.

Small inputs matter: a probe whose first layer must grow to be heard picks up the few directions that count,
where large inputs let it memorise each number.
"""


class Inputs(Protocol):
    """The numbers of one part of a split, for every dataset of a bank."""

    @property
    def count(self) -> int:
        """Numbers per dataset."""

    @property
    def dimension(self) -> int: ...

    def layout(self) -> Layout:
        """The weights that learn together with the probe."""

    def vectors(self, weights: Weights, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors, (datasets or probes, n, dimension), and the positions in them of (datasets, items, arity) numbers.

        Each distinct number is encoded once, unless the items mention fewer numbers than there are.
        """


@dataclass(frozen=True)
class FixedInputs:
    """(datasets, n, dimension) vectors."""

    table: Tensor

    @property
    def count(self) -> int:
        return self.table.shape[1]

    @property
    def dimension(self) -> int:
        return self.table.shape[2]

    def layout(self) -> Layout:
        return {}

    def vectors(self, weights: Weights, numbers: Tensor) -> tuple[Tensor, Tensor]:
        mentioned = numbers.flatten(1)
        if mentioned.shape[1] >= self.count:
            return self.table, numbers
        return look_up(self.table, mentioned), in_order(numbers)


def scaled(tables: Sequence[Tensor]) -> list[FixedInputs]:
    """Inputs from (datasets, n, dimension) vectors, centred and scaled by the mean and length of the first table's.

    All dimensions are scaled alike, so that one that hardly varies stays small.
    """
    centre = tables[0].mean(dim=1, keepdim=True)
    length = (tables[0] - centre).square().sum(dim=2, keepdim=True).mean(dim=1, keepdim=True).sqrt()
    return [FixedInputs((table - centre) * (LENGTH / length.clamp(min=1e-12))) for table in tables]


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

    @cached_property
    def _all(self) -> Reading:
        return self.reading.take(self.rows)

    def layout(self) -> Layout:
        return {f"embedder.{name}": parameter for name, parameter in self.embedder.layout().items()}

    def vectors(self, weights: Weights, numbers: Tensor) -> tuple[Tensor, Tensor]:
        mentioned = numbers.flatten(1)
        reading = self._all
        if mentioned.shape[1] < self.count:
            reading = self.reading.take(self.rows.take_along_dim(mentioned, dim=1))
            numbers = in_order(numbers)
        own = {name.removeprefix("embedder."): weights[name] for name in self.layout()}
        return self.embedder.vectors(own, reading) * (LENGTH / math.sqrt(self.dimension)), numbers


def in_order(numbers: Tensor) -> Tensor:
    """Positions for (datasets, items, arity) numbers whose vectors stand one after another."""
    datasets, items, arity = numbers.shape
    return torch.arange(items * arity, device=numbers.device).view(1, items, arity).expand(datasets, -1, -1)
