"""The result of a cell: scores per shuffle, and everything that is needed to read or repeat them."""

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any

from numprobe.experiments.cell import Cell
from numprobe.experiments.checking import check_fields, checked_cell
from numprobe.experiments.selection import Selection
from numprobe.registry import Spec


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
    """Time, device, processor, and the versions of everything that took part. The rest is the same in every run."""
    predictions: list[list[float]] | None = None
    """Decoding only: the predicted value of each held-out number, in increasing order of the numbers."""
    missing: list[float] = field(default_factory=list)
    """The numbers that the embedder lacks and that were left out."""
    pieces: list[int] = field(default_factory=list)
    """Decoding only: the count of word pieces of each number that the embedder has, in increasing order, if it cuts."""
    layers: list[list[float]] = field(default_factory=list)
    """A sweep over layers: the scores of each. `scores` and `predictions` are the last one's."""

    def held_out(self, seed: int) -> list[float]:
        """The test numbers of a shuffle, in increasing order."""
        values: list[float] = Selection(self.cell, tuple(self.missing)).held_out(seed).tolist()
        return values

    def pieces_of(self) -> dict[float, int]:
        """How many word pieces each number has; empty where the embedder cuts none."""
        values = Selection(self.cell, tuple(self.missing)).values.tolist()
        return dict(zip(values, self.pieces, strict=False))  # a stranger's may be too few

    def by_layer(self) -> "list[Result]":
        """A sweep as one result per layer, each under the name of its layer; any other result as it is."""
        if not self.layers:
            return [self]
        spec = Spec.parse(self.cell.embedder)
        others = tuple((key, value) for key, value in spec.settings if key != "layer")
        return [
            replace(
                self,
                cell=replace(self.cell, embedder=str(Spec(spec.name, (*others, ("layer", str(number)))))),
                scores=scores,
                layers=[],
                predictions=None,
            )
            for number, scores in enumerate(self.layers)
        ]

    @property
    def mean(self) -> float:
        return math.fsum(self.scores) / len(self.scores)

    @property
    def std(self) -> float:
        """The sample standard deviation over the shuffles."""
        if len(self.scores) == 1:
            return 0.0
        mean = self.mean
        return math.sqrt(math.fsum((score - mean) ** 2 for score in self.scores) / (len(self.scores) - 1))

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
            "missing": self.missing,
            "pieces": self.pieces,
            "layers": self.layers,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Result":
        """A result that was kept, perhaps by a stranger; a ValueError, TypeError or KeyError where it can be none."""
        cell = checked_cell(data["cell"])
        given = {own.name: data[own.name] for own in fields(cls) if own.name != "cell"}
        check_fields(cell, given)
        return cls(cell=cell, **given)
