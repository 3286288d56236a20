"""Nearest: which of these numbers is closest to 75?"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import at_least, at_most
from numprobe.tasks.base import Answer, Items, Part, Pool, Task
from numprobe.tasks.sampling import without_replacement


@dataclass(frozen=True)
class Nearest(Task):
    """A number and several others: which of them is closest in value?

    By cosine, this asks whether numbers that are close have vectors that are close, without any training.
    """

    name: ClassVar[str] = "nearest"
    answer: ClassVar[Answer] = Answer.CHOICE
    probe: ClassVar[str] = "cosine"
    metric: ClassVar[str] = "accuracy"
    version: ClassVar[int] = 2
    has_query: ClassVar[bool] = True

    candidates: int = 5
    train_items: int = 5_000
    test_items: int = 1_000

    def __post_init__(self) -> None:
        at_least(2, candidates=self.candidates)
        at_most(100, candidates=self.candidates)
        at_least(1, train_items=self.train_items, test_items=self.test_items)
        at_most(1_000_000, train_items=self.train_items, test_items=self.test_items)

    @property
    def arity(self) -> int:
        return 1 + self.candidates

    @property
    def least(self) -> int:
        """How many numbers an item needs."""
        return self.arity

    def quick(self) -> Self:
        return replace(self, train_items=1_000, test_items=500)

    def needs(self, pool: Pool) -> str | None:
        found = len(pool.values)
        return None if found >= self.least else f"it needs {self.least} numbers, and there are {found}"

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_items if part == "train" else self.test_items
        numbers = np.empty((count, self.arity), dtype=np.int32)
        tied = np.ones(count, dtype=bool)
        while tied.any():  # the smallest number of a pool never has two nearest ones, so this ends
            again = without_replacement(np.full(tied.sum(), len(pool.values)), self.arity, rng)
            numbers[tied] = rng.permuted(again, axis=1)
            apart = np.abs(pool.values[numbers[:, 1:]] - pool.values[numbers[:, :1]])
            tied = (apart == apart.min(axis=1, keepdims=True)).sum(axis=1) > 1
        return Items(numbers, 1 + apart.argmin(axis=1))
