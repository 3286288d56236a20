"""Subtraction: how much is one number less another?"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.tasks.addition import Addition
from numprobe.tasks.base import Items, Part, Pool


@dataclass(frozen=True)
class Subtraction(Addition):
    """The vectors of two numbers of one part of the split: what is the first less the second?"""

    name: ClassVar[str] = "subtraction"

    @property
    def phrasings(self) -> tuple[str, ...]:
        return (
            "{first} - {second} =",
            "Question: What is {first} - {second}?\nAnswer:",
            "Question: What is the difference when {second} is taken from {first}?\nAnswer:",
            "{first} minus {second} equals",
            "Subtract {second} from {first}.\nResult:",
        )

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        pairs = super().draw(pool, part, rng).numbers
        return Items(pairs, pool.values[pairs[:, 0]] - pool.values[pairs[:, 1]])
