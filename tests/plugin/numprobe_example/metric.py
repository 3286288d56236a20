from dataclasses import dataclass

import numpy as np

from numprobe.metrics import Metric
from numprobe.tasks import Answer


@dataclass(frozen=True)
class MedianError(Metric):
    """The median of the absolute errors."""

    name = "example-median-error"
    answer = Answer.VALUE
    higher_is_better = False
    unit = "the numbers' own"
    axis = "log"

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.median(np.abs(answers - truths)))
