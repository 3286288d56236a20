"""Ordering: which of k numbers takes a given place when they are sorted?"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import NumprobeError, at_least, at_most
from numprobe.tasks.base import Answer, Items, Part, Pool, Task
from numprobe.tasks.list_maximum import MOST_LISTS
from numprobe.tasks.sampling import nearby, without_replacement

LONGEST_LIST = 50


@dataclass(frozen=True)
class Ordering(Task):
    """Several distinct numbers of similar size: which is the n-th smallest? Every rank together is the whole order.

    Lists are drawn as Appendix C draws those of list maximum: around an anchor, with a deviation of a tenth of the root
    of the range.
    """

    name: ClassVar[str] = "ordering"
    answer: ClassVar[Answer] = Answer.CHOICE
    probe: ClassVar[str] = "bilstm"
    metric: ClassVar[str] = "accuracy"

    length: int = 5
    rank: int = 0
    """The place in increasing order, from 1; 0 is the middle."""
    train_lists: int = 100_000
    test_lists: int = 10_000

    def __post_init__(self) -> None:
        at_least(2, length=self.length)
        at_most(LONGEST_LIST, length=self.length)
        at_least(1, train_lists=self.train_lists, test_lists=self.test_lists)
        at_most(MOST_LISTS, train_lists=self.train_lists, test_lists=self.test_lists)
        if not 0 <= self.rank <= self.length:
            raise NumprobeError(f"rank must lie between 1 and the length {self.length}, not be {self.rank}")

    @property
    def arity(self) -> int:
        return self.length

    @property
    def _place(self) -> int:
        return self.rank or (self.length + 1) // 2

    @property
    def phrasings(self) -> tuple[str, ...]:
        which = f"number {self._place} in increasing order"
        return (
            f"Question: Which of {{numbers}} is {which}?\nAnswer:",
            f"When {{numbers}} are sorted from small to large, {which} is",
            f"sorted([{{numbers}}])[{self._place - 1}] =",
            f"Numbers: {{numbers}}\n{which.capitalize()}:",
            f"List: {{numbers}}\nIn the sorted list, {which} is",
        )

    def quick(self) -> Self:
        return replace(self, train_lists=20_000, test_lists=2_000)

    def needs(self, pool: Pool) -> str | None:
        found = len(pool.values)
        return None if found >= self.length else f"lists need {self.length} different numbers, and there are {found}"

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(np.argsort(values, axis=1)[:, self._place - 1])

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_lists if part == "train" else self.test_lists
        if pool.decimals:
            lists = without_replacement(np.full(count, len(pool.values)), self.length, rng)
        else:
            lists = nearby(pool.values, (0.01 * pool.range_size) ** 0.5, self.length, count, rng)
        lists = rng.permuted(lists, axis=1).astype(np.int32)
        return Items(lists, self.truths(pool.values[lists]))
