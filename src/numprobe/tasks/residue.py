"""Residue: which remainder does a number leave?"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import NumprobeError, at_least, at_most
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

MOST_CLASSES = 1000


@dataclass(frozen=True)
class Residue(Task):
    """The vector of one whole number: what remains when it is divided by the modulus?"""

    name: ClassVar[str] = "residue"
    answer: ClassVar[Answer] = Answer.CLASS
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "discriminant"
    metric: ClassVar[str] = "kappa"

    modulus: int = 10

    def __post_init__(self) -> None:
        at_least(2, modulus=self.modulus)
        at_most(MOST_CLASSES, modulus=self.modulus)

    def needs(self, pool: Pool) -> str | None:
        if pool.decimals:
            return "only whole numbers leave a remainder, and these have decimals"
        if len(pool.values) < self.modulus:
            return f"{self.modulus} classes need as many numbers, and there are {len(pool.values)}"
        return super().needs(pool)

    def item_count(self, numbers: int) -> int:
        return numbers

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        if problem := self.needs(pool):  # large ranges are not laid out before they are drawn from
            raise NumprobeError(f"{self.name}: {problem}")
        classes = np.mod(pool.values, self.modulus).astype(np.int64)
        return Items(np.arange(len(pool.values), dtype=np.int32)[:, None], classes)
