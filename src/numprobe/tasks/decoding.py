"""Decoding: which number is this? (Section 3.1)"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.tasks.base import Answer, Items, Part, Pool, Task


@dataclass(frozen=True)
class Decoding(Task):
    """The vector of one number: what is its value?"""

    name: ClassVar[str] = "decoding"
    answer: ClassVar[Answer] = Answer.VALUE
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "mlp"
    metric: ClassVar[str] = "rmse"

    def item_count(self, numbers: int) -> int:
        return numbers

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        return Items(np.arange(len(pool.values), dtype=np.int32)[:, None], pool.values)
