"""Parts from outside numprobe, as a plug-in or a user would give them."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from numprobe.experiments import Cell, Result
from numprobe.metrics import Metric
from numprobe.numbers import Form
from numprobe.tasks import Answer, Items, Part, Pool, Task
from tests.conftest import make_result


@dataclass(frozen=True)
class Doubling(Task):
    """Given every other number's embedding, predict twice its value."""

    name: ClassVar[str] = "doubling"
    answer: ClassVar[Answer] = Answer.VALUE
    arity: ClassVar[int] = 1
    probe: ClassVar[str] = "mlp"
    metric: ClassVar[str] = "rmse"

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        numbers = np.arange(0, len(pool.values), 2, dtype=np.int32)
        return Items(numbers[:, None], 2 * pool.values[numbers])


@dataclass(frozen=True)
class LargestError(Metric):
    """The largest error."""

    name: ClassVar[str] = "largest-error"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.abs(answers - truths).max())


@dataclass(frozen=True)
class Roman(Form):
    """Digits under another name."""

    name: ClassVar[str] = "roman"

    def write(self, value: float) -> str:
        return f"{value:g}"


def doubled(embedder: str = "value") -> Result:
    """A result of `Doubling` without an error."""
    result = replace(make_result(embedder), cell=Cell.make(embedder, Doubling(), "0:99"))
    return replace(result, predictions=[result.truths(seed).tolist() for seed in range(5)])
