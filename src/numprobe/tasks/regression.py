"""The two tasks whose answer is a value: decoding a number, and adding two (Section 3.1)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.tasks.base import Items, Metric, Part, Pool

LARGE_RANGE = 1000
"""From this many numbers on, addition uses a random tenth of the pairs (Appendix C)."""

SPARSE = 100
"""Where so many integers come to one that is drawn, those that are drawn are sorted, and else marked."""


def _two_numbers(pool: Pool) -> str | None:
    return None if len(pool.values) >= 2 else f"it needs 2 numbers, and there are {len(pool.values)}"


@dataclass(frozen=True)
class Decoding:
    """Given a number's embedding, predict its value."""

    name: ClassVar[str] = "decoding"
    metric: ClassVar[Metric] = "rmse"
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "mlp"

    def needs(self, pool: Pool) -> str | None:
        return _two_numbers(pool)

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        return Items(np.arange(len(pool.values), dtype=np.int32)[:, None], pool.values)


@dataclass(frozen=True)
class Addition:
    """Given the embeddings of two numbers, predict their sum. Both come from the same part of the split."""

    name: ClassVar[str] = "addition"
    metric: ClassVar[Metric] = "rmse"
    arity: ClassVar[int] = 2
    probe: ClassVar[str] = "mlp"

    pair_share: float = 0.0
    """Share of all ordered pairs that is used; 0 is the paper's: all, or a tenth for ranges of 1,000 and more."""

    def __post_init__(self) -> None:
        if not 0 <= self.pair_share <= 1:
            raise NumprobeError(f"pair_share must lie between 0 and 1, not {self.pair_share}")

    def needs(self, pool: Pool) -> str | None:
        return _two_numbers(pool)

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        size = len(pool.values)
        share = self.pair_share or (0.1 if pool.range_size >= LARGE_RANGE else 1.0)
        pairs = _distinct(size**2, max(1, round(share * size**2)), rng)
        first, second = (number.astype(np.int32) for number in np.divmod(pairs, size))
        return Items(np.column_stack((first, second)), pool.values[first] + pool.values[second])


def _distinct(population: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` different integers below `population`, in increasing order, without listing the population."""
    if count == population:
        return np.arange(population)
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < count:
        missing = count - len(drawn)
        more = rng.integers(population, size=missing + missing // 8 + 8)
        drawn = _in_order(np.concatenate((drawn, more)), population)
    surplus = rng.choice(len(drawn), len(drawn) - count, replace=False)
    return np.delete(drawn, surplus)


def _in_order(numbers: np.ndarray, population: int) -> np.ndarray:
    """The distinct ones in increasing order: marked in the whole population, where that takes less than sorting."""
    if population > SPARSE * len(numbers):
        return np.unique(numbers)
    there = np.zeros(population, dtype=bool)
    there[numbers] = True
    return np.flatnonzero(there)
