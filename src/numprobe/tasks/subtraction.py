"""Subtraction: how much is one number less another?"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.tasks.addition import Addition


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

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values[:, 0] - values[:, 1])
