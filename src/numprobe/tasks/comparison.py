"""Comparison: which of two numbers is the larger, at every ratio between them?"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import NumprobeError, at_least, at_most
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

MOST_PAIRS = 10_000_000


@dataclass(frozen=True)
class Comparison(Task):
    """Two different numbers, from nearly equal to far apart: which is the larger?

    The ratio of the larger to the smaller is drawn first, uniform in its logarithm, and then the numbers of the pool
    that come close to it. So accuracy can be read off at each ratio.
    """

    name: ClassVar[str] = "comparison"
    answer: ClassVar[Answer] = Answer.CHOICE
    arity: ClassVar[int] = 2
    probe: ClassVar[str] = "bilstm"
    metric: ClassVar[str] = "accuracy"

    largest_ratio: float = 10.0
    train_pairs: int = 100_000
    test_pairs: int = 5_000

    def __post_init__(self) -> None:
        if not 1 < self.largest_ratio <= 1e6:
            raise NumprobeError(f"largest_ratio must be more than 1 and at most 1e6, not {self.largest_ratio:g}")
        at_least(1, train_pairs=self.train_pairs, test_pairs=self.test_pairs)
        at_most(MOST_PAIRS, train_pairs=self.train_pairs, test_pairs=self.test_pairs)

    @property
    def phrasings(self) -> tuple[str, ...]:
        return (
            "Question: Which number is larger, {first} or {second}?\nAnswer:",
            "The larger of {first} and {second} is",
            "max({first}, {second}) =",
            "Numbers: {first}, {second}\nLarger number:",
            "Between {first} and {second}, the larger number is",
        )

    def quick(self) -> Self:
        return replace(self, train_pairs=20_000, test_pairs=2_000)

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values.argmax(axis=1))

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_pairs if part == "train" else self.test_pairs
        values = pool.values
        one = rng.integers(len(values), size=count)
        wanted = values[one] * np.exp(rng.choice((-1, 1), count) * rng.uniform(0, np.log(self.largest_ratio), count))
        other = _nearest(values, wanted, one)
        pairs = np.column_stack((one, other)).astype(np.int32)  # either may be the larger
        return Items(pairs, self.truths(values[pairs]))


def _nearest(values: np.ndarray, wanted: np.ndarray, other_than: np.ndarray) -> np.ndarray:
    """The position of the number nearest to each wanted one, among all but one of the sorted values.

    >>> _nearest(np.array([1, 5, 6]), np.array([5.1, 5.1, -3.0]), np.array([0, 1, 0])).tolist()
    [1, 2, 1]
    """
    above = np.searchsorted(values, wanted)
    below = above - 1
    above, below = above + (above == other_than), below - (below == other_than)
    far = np.full(len(wanted), np.inf)
    last = len(values) - 1
    to_above = np.where(above <= last, np.abs(values[np.minimum(above, last)] - wanted), far)
    to_below = np.where(below >= 0, np.abs(values[np.maximum(below, 0)] - wanted), far)
    return np.asarray(np.where(to_above < to_below, above, below))
