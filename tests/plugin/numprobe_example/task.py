from dataclasses import dataclass

import numpy as np

from numprobe.tasks import Answer, Items, Pool, Task


@dataclass(frozen=True)
class GreaterThan(Task):
    """Which of two different numbers is larger?"""

    name = "example-greater-than"
    answer = Answer.CHOICE
    arity = 2
    probe = "bilstm"
    metric = "accuracy"

    pairs: int = 1000

    def draw(self, pool: Pool, part: str, rng: np.random.Generator) -> Items:
        first = rng.integers(len(pool.values), size=self.pairs)
        second = (first + rng.integers(1, len(pool.values), size=self.pairs)) % len(pool.values)
        numbers = np.column_stack((first, second))
        return Items(numbers, pool.values[numbers].argmax(axis=1))
