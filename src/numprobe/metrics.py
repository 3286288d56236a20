"""How answers are scored. A metric is a function of what was answered and what was right."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from numprobe.registry import Registry
from numprobe.tasks import Answer


class Metric:
    """One way to score answers. Subclass it as a frozen dataclass and define `score`."""

    name: ClassVar[str]
    answer: ClassVar[Answer]
    """What it scores: choices or values."""
    higher_is_better: ClassVar[bool]
    unit: ClassVar[str] = ""
    """What it is measured in, such as `the numbers' own`; empty for a share."""
    axis: ClassVar[Literal["linear", "log"]] = "linear"
    """The scale of a chart's axis."""

    def score(self, answers: np.ndarray, truths: np.ndarray) -> float:
        """Score the answers to the items of one shuffle."""
        raise NotImplementedError

    def better(self, one: float, other: float) -> bool:
        """Whether the first score is better than the second."""
        return one > other if self.higher_is_better else one < other

    @property
    def direction(self) -> str:
        return "higher is better" if self.higher_is_better else "lower is better"


@dataclass(frozen=True)
class Accuracy(Metric):
    """The share of right choices."""

    name: ClassVar[str] = "accuracy"
    answer: ClassVar[Answer] = Answer.CHOICE
    higher_is_better: ClassVar[bool] = True

    def score(self, answers: np.ndarray, truths: np.ndarray) -> float:
        return float(np.mean(answers == truths))


@dataclass(frozen=True)
class RootMeanSquaredError(Metric):
    """The root of the mean squared error."""

    name: ClassVar[str] = "rmse"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "the numbers' own"
    axis: ClassVar[Literal["linear", "log"]] = "log"

    def score(self, answers: np.ndarray, truths: np.ndarray) -> float:
        return float(np.sqrt(np.mean(np.square(answers - truths))))


METRICS: Registry[Metric] = Registry(
    "metric", "numprobe.metrics", required=("name", "answer", "higher_is_better", "score")
)
