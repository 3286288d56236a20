"""Numeration: which of these words is 75? (Naik et al., 2019)"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.numbers import FORMS, Form, Mention
from numprobe.tasks.base import Items, Part, Pool
from numprobe.tasks.nearest import Nearest
from numprobe.tasks.sampling import without_replacement


@dataclass(frozen=True)
class Numeration(Nearest):
    """A number in the cell's form, and several in another: which is the same?"""

    name: ClassVar[str] = "numeration"
    writes_sentences: ClassVar[bool] = True

    among: str = "words"
    """The form of the numbers to choose from."""

    def __post_init__(self) -> None:
        super().__post_init__()
        FORMS.build(self.among)

    @property
    def forms(self) -> Sequence[Form]:
        return (FORMS.build(self.among),)

    @property
    def least(self) -> int:
        return self.candidates

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count, size = self.train_items if part == "train" else self.test_items, len(pool.values)
        drawn = rng.permuted(without_replacement(np.full(count, size), self.candidates, rng), axis=1)
        right = rng.integers(self.candidates, size=count)
        (form,) = self.forms
        values = pool.values.tolist()
        mentions = [Mention((value,)) for value in values] + [Mention((value,), form=form) for value in values]
        return Items(np.column_stack((drawn[np.arange(count), right], size + drawn)), 1 + right, mentions)
