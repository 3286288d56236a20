"""Competing context: two numbers in one sentence; does the vector of one hold its own value, or the other's?"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import NumprobeError, at_least, at_most, one_of
from numprobe.numbers import Mention
from numprobe.numbers.mentions import NUMBER
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

PLACES = ("first", "second")
WHOSE = ("own", "other")


@dataclass(frozen=True)
class Competing(Task):
    """Two numbers in one sentence, read at one of them: what is its value, or the other's?"""

    name: ClassVar[str] = "competing"
    answer: ClassVar[Answer] = Answer.VALUE
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "linear"
    metric: ClassVar[str] = "rmse"
    writes_sentences: ClassVar[bool] = True

    at: str = "second"
    """The number that is read. A model that reads from left to right can't know of the second at the first."""
    value: str = "own"
    """Whose value is asked for: its own, or the other's."""
    sentence: str = "One has {number} and the other has {number} of them."
    train_items: int = 4_000
    test_items: int = 1_000

    def __post_init__(self) -> None:
        one_of("at", self.at, PLACES)
        one_of("value", self.value, WHOSE)
        at_least(2, train_items=self.train_items, test_items=self.test_items)
        at_most(1_000_000, train_items=self.train_items, test_items=self.test_items)
        if self.sentence.count(NUMBER) != 2:
            raise NumprobeError(f"sentence must have two {NUMBER}, not {self.sentence.count(NUMBER)}")

    def quick(self) -> Self:
        return replace(self, train_items=1_000, test_items=500)

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_items if part == "train" else self.test_items
        pairs = rng.integers(len(pool.values), size=(count, 2))
        place = PLACES.index(self.at)
        asked = place if self.value == "own" else 1 - place
        mentions = [Mention((first, second), self.sentence, at=place) for first, second in pool.values[pairs].tolist()]
        return Items(np.arange(count, dtype=np.int32)[:, None], pool.values[pairs[:, asked]], mentions)
