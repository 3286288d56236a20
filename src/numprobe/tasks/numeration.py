"""Numeration: which of these words is 75? (Naik et al., 2019)"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import at_least, at_most
from numprobe.numbers import FORMS, Form, Mention
from numprobe.tasks.base import Answer, Items, Part, Pool, Task
from numprobe.tasks.sampling import without_replacement


@dataclass(frozen=True)
class Numeration(Task):
    """A number in the cell's form, and several in another: which is the same?"""

    name: ClassVar[str] = "numeration"
    answer: ClassVar[Answer] = Answer.CHOICE
    probe: ClassVar[str] = "cosine"
    metric: ClassVar[str] = "accuracy"
    version: ClassVar[int] = 2
    has_query: ClassVar[bool] = True
    writes_sentences: ClassVar[bool] = True

    among: str = "words"
    """The form of the numbers to choose from."""
    candidates: int = 5
    train_items: int = 5_000
    test_items: int = 1_000

    def __post_init__(self) -> None:
        at_least(2, candidates=self.candidates)
        at_most(100, candidates=self.candidates)
        at_least(1, train_items=self.train_items, test_items=self.test_items)
        at_most(1_000_000, train_items=self.train_items, test_items=self.test_items)
        FORMS.build(self.among)

    @property
    def arity(self) -> int:
        return 1 + self.candidates

    @property
    def forms(self) -> Sequence[Form]:
        return (FORMS.build(self.among),)

    def quick(self) -> Self:
        return replace(self, train_items=1_000, test_items=500)

    def needs(self, pool: Pool) -> str | None:
        found = len(pool.values)
        return None if found >= self.candidates else f"it needs {self.candidates} numbers, and there are {found}"

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count, size = self.train_items if part == "train" else self.test_items, len(pool.values)
        drawn = rng.permuted(without_replacement(np.full(count, size), self.candidates, rng), axis=1)
        right = rng.integers(self.candidates, size=count)
        (form,) = self.forms
        values = pool.values.tolist()
        mentions = [Mention((value,)) for value in values] + [Mention((value,), form=form) for value in values]
        return Items(np.column_stack((drawn[np.arange(count), right], size + drawn)), 1 + right, mentions)
