"""Decoding: which number is this? (Section 3.1)"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import one_of
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

TARGETS = ("value", "log2")


@dataclass(frozen=True)
class Decoding(Task):
    """The vector of one number: what is its value, or its logarithm?"""

    name: ClassVar[str] = "decoding"
    answer: ClassVar[Answer] = Answer.VALUE
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "mlp"
    metric: ClassVar[str] = "rmse"

    target: str = "value"
    """What to answer: the value, or its logarithm to the base 2 (log2)."""

    def __post_init__(self) -> None:
        one_of("target", self.target, TARGETS)

    @property
    def asks_for_number(self) -> bool:
        return self.target == "value"

    @property
    def phrasings(self) -> tuple[str, ...]:
        if self.target != "value":
            return ()
        return (
            "{number} =",
            "Question: What is {number} in digits?\nAnswer:",
            "{number} written in digits is",
            "Number: {number}\nDigits:",
            "Write {number} in digits.\nResult:",
        )

    def needs(self, pool: Pool) -> str | None:
        if self.target == "log2" and pool.values[0] <= 0:
            return f"logarithms need numbers above 0, and the least is {pool.values[0]:g}"
        return super().needs(pool)

    def item_count(self, numbers: int) -> int:
        return numbers

    def truths(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values[:, 0] if self.target == "value" else np.log2(values[:, 0]))

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        return Items(np.arange(len(pool.values), dtype=np.int32)[:, None], self.truths(pool.values[:, None]))
