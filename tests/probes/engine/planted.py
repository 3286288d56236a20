"""Small data whose answers are known, and probes that learn them quickly."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
import torch

from numprobe.numbers import generator
from numprobe.probes import Dataset, Prepared
from numprobe.probes.bilstm import BiLSTM
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs
from numprobe.probes.mlp import MLP
from numprobe.probes.network import Recipe, Way


def ways(rates: Sequence[float], lengths: Sequence[float], batch: int = 16) -> tuple[Way, ...]:
    return tuple(Way(rate, length, batch) for rate, length in product(rates, lengths))


@dataclass(frozen=True)
class QuickMLP(MLP):
    recipe: ClassVar[Recipe] = Recipe(ways(rates=(0.01, 0.003), lengths=(0.5, 1.5)), steps=20, anneals=True)
    most_steps: int = 160


@dataclass(frozen=True)
class QuickBiLSTM(BiLSTM):
    recipe: ClassVar[Recipe] = Recipe(ways(rates=(0.01,), lengths=(0.3, 1.2)), steps=20, anneals=False)
    most_steps: int = 80


def line(datasets: int = 2, n: int = 40) -> Data:
    """Numbers whose value is a sum of their vector's entries."""
    table = torch.randn(datasets, n, 3, generator=torch.Generator().manual_seed(1))
    numbers = torch.arange(n, dtype=torch.int32).view(1, n, 1).expand(datasets, -1, -1)
    return Data(FixedInputs(table), numbers, table.sum(dim=2))


def lists(datasets: int = 2) -> Data:
    table = torch.linspace(-1, 1, 20).view(1, 20, 1).expand(datasets, -1, -1)
    numbers = torch.from_numpy(
        np.stack([np.stack([generator(s, str(i)).permutation(20)[:5] for i in range(400)]) for s in range(datasets)])
    )
    return Data(FixedInputs(table), numbers, numbers.argmax(dim=2))


class Planted:
    """A `prepare` that hands out the same data for every part of the split, or other data for the test."""

    def __init__(self, data: Any, test: Any = None) -> None:
        self.data, self.test = data, test or data
        self.asked: list[tuple[str, str]] = []

    def __call__(self, learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        self.asked.append((learn, answer))
        count = len(datasets)
        given = (self.test if answer == "test" else self.data)(count)
        shift, scale = torch.zeros(count, 1).double(), torch.full((count, 1), 10.0).double()
        truths = given.targets.double() * scale if given.targets.is_floating_point() else given.targets
        return Prepared(self.data(count), given, truths, shift, scale, every=torch.empty(0))


def datasets(count: int) -> list[Dataset]:
    return [Dataset(seed) for seed in range(count)]


def rngs(seeds: Sequence[int]) -> list[np.random.Generator]:
    return [generator(seed, "probe") for seed in seeds]
