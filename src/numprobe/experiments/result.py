"""The result of a cell: scores per shuffle, and everything that is needed to read or repeat them."""

import math
from dataclasses import dataclass
from typing import Any

from numprobe.experiments.cell import Cell


@dataclass(frozen=True)
class Result:
    cell: Cell
    metric: str
    scores: list[float]
    """One per shuffle."""
    coverage: dict[str, int]
    """How many numbers were asked for, and how many the embedder has."""
    choices: list[dict[str, Any]]
    """What `strict` chose for each shuffle."""
    made: dict[str, Any]
    """Time, device and package versions."""
    predictions: list[list[float]] | None = None
    """Decoding only: the predicted value of each held-out number, in increasing order of the numbers."""

    @property
    def mean(self) -> float:
        return math.fsum(self.scores) / len(self.scores)

    @property
    def std(self) -> float:
        """The sample standard deviation over the shuffles."""
        if len(self.scores) == 1:
            return 0.0
        return math.sqrt(math.fsum((score - self.mean) ** 2 for score in self.scores) / (len(self.scores) - 1))

    def as_dict(self) -> dict[str, Any]:
        return {
            "cell": self.cell.as_dict(),
            "metric": self.metric,
            "scores": self.scores,
            "mean": self.mean,
            "std": self.std,
            "coverage": self.coverage,
            "choices": self.choices,
            "settings": self.cell.settings(),
            "made": self.made,
            "predictions": self.predictions,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Result":
        given = {name: data[name] for name in ("metric", "scores", "coverage", "choices", "made", "predictions")}
        return cls(cell=Cell(**data["cell"]), **given)
