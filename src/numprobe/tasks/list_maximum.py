"""List maximum: which of five numbers is the largest? (Section 3.1, Appendix C)"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import at_least, at_most, one_of
from numprobe.numbers import integer_parts
from numprobe.tasks.base import Answer, Items, Part, Pool, Task
from numprobe.tasks.sampling import RELEASED_LEAST, nearby, released, without_replacement

SAMPLERS = ("released", "appendix", "uniform")
MOST_LISTS = 10_000_000


@dataclass(frozen=True)
class ListMaximum(Task):
    """Five distinct numbers of similar size: which is the largest?"""

    name: ClassVar[str] = "list-maximum"
    answer: ClassVar[Answer] = Answer.CHOICE
    arity: ClassVar[int] = 5
    probe: ClassVar[str] = "bilstm"
    metric: ClassVar[str] = "accuracy"

    sampler: str = "released"
    """The authors' released code, the text of Appendix C, or the paper's first try: uniform over the pool."""
    train_lists: int = 100_000
    test_lists: int = 10_000

    def __post_init__(self) -> None:
        one_of("sampler", self.sampler, SAMPLERS)
        at_least(1, train_lists=self.train_lists, test_lists=self.test_lists)
        at_most(MOST_LISTS, train_lists=self.train_lists, test_lists=self.test_lists)

    @property
    def variant(self) -> str:
        return "" if self.sampler == "released" else f"{self.sampler} lists"

    @property
    def phrasings(self) -> tuple[str, ...]:
        return (
            "Question: Which of these numbers is the largest: {numbers}?\nAnswer:",
            "The largest of {numbers} is",
            "max({numbers}) =",
            "Numbers: {numbers}\nMaximum:",
            "List: {numbers}\nThe largest number in the list is",
        )

    def quick(self) -> Self:
        return replace(self, train_lists=20_000, test_lists=2_000)

    def needs(self, pool: Pool) -> str | None:
        integers = len(np.unique(integer_parts(pool.values)))
        if integers < self.arity:
            return f"lists need {self.arity} different integers, and there are {integers}"
        if self.sampler == "released" and integers < RELEASED_LEAST:
            return (
                f"lists of the released sampler need {RELEASED_LEAST} different integers, and there are {integers}; "
                f"use {self.name}:sampler=appendix"
            )
        return None

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values.argmax(axis=1))

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_lists if part == "train" else self.test_lists
        lists = (
            self._with_decimals(pool, count, rng) if pool.decimals else self._integers(pool.values, pool, count, rng)
        )
        lists = rng.permuted(lists, axis=1)  # so that the maximum is equally likely in every position
        return Items(lists.astype(np.int32), self.truths(pool.values[lists]))

    def _integers(self, values: np.ndarray, pool: Pool, count: int, rng: np.random.Generator) -> np.ndarray:
        if self.sampler == "released":
            return released(values, self.arity, count, rng)
        if self.sampler == "uniform":
            return without_replacement(np.full(count, len(values)), self.arity, rng)
        # The Gaussian's variance is 0.01 times the total size of the range.
        return nearby(values, (0.01 * pool.range_size) ** 0.5, self.arity, count, rng)

    def _with_decimals(self, pool: Pool, count: int, rng: np.random.Generator) -> np.ndarray:
        """Half of the lists are one integer with five decimals, half are integers with random decimals (D.3)."""
        integers, first, decimals = np.unique(integer_parts(pool.values), return_index=True, return_counts=True)
        same = rng.random(count) < 0.5
        chosen = np.empty((count, self.arity), dtype=np.int64)
        chosen[same] = rng.choice(np.flatnonzero(decimals >= self.arity), size=(same.sum(), 1))
        chosen[~same] = self._integers(integers, pool, int((~same).sum()), rng)
        decimal = rng.integers(decimals[chosen])
        decimal[same] = without_replacement(decimals[chosen[same, 0]], self.arity, rng)
        return np.asarray(first[chosen] + decimal)
