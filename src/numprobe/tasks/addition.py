"""Addition: what is the sum of two numbers? (Section 3.1)"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

LARGE_RANGE = 1000
"""From this many numbers on, addition uses a random tenth of the pairs (Appendix C)."""

SPARSE = 100
"""Draw from a population by sorting if it is this many times larger than the draw, and otherwise by marking."""


@dataclass(frozen=True)
class Addition(Task):
    """The vectors of two numbers of one part of the split: what is their sum?"""

    name: ClassVar[str] = "addition"
    answer: ClassVar[Answer] = Answer.VALUE
    arity: ClassVar[int] = 2
    probe: ClassVar[str] = "mlp"
    metric: ClassVar[str] = "rmse"

    pair_share: float = 0.0
    """The share of all ordered pairs to use; 0 is the paper's: all, or a tenth for ranges of 1,000 and more."""

    def __post_init__(self) -> None:
        if not 0 <= self.pair_share <= 1:
            raise NumprobeError(f"pair_share must lie between 0 and 1, not {self.pair_share}")

    @property
    def phrasings(self) -> tuple[str, ...]:
        return (
            "{first} + {second} =",
            "Question: What is {first} + {second}?\nAnswer:",
            "Question: What is the sum of {first} and {second}?\nAnswer:",
            "{first} plus {second} equals",
            "Add {first} and {second}.\nResult:",
        )

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values[:, 0] + values[:, 1])

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        size = len(pool.values)
        share = self.pair_share or (0.1 if pool.range_size >= LARGE_RANGE else 1.0)
        pairs = _distinct(size**2, max(1, round(share * size**2)), rng)
        numbers = np.column_stack(np.divmod(pairs, size)).astype(np.int32)
        return Items(numbers, self.truths(pool.values[numbers]))


def _distinct(population: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw `count` different integers below `population`, in increasing order, without listing the population."""
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
    """The distinct numbers in increasing order. Marking them in the population is faster unless it is huge."""
    if population > SPARSE * len(numbers):
        return np.unique(numbers)
    there = np.zeros(population, dtype=bool)
    there[numbers] = True
    return np.flatnonzero(there)
