"""The result of a cell: what was answered, the scores, and everything needed to read or repeat them."""

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from numprobe.embedders import EMBEDDERS
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.selection import Selection
from numprobe.metrics import METRICS, Metric
from numprobe.registry import Spec


@dataclass(frozen=True)
class Result:
    cell: Cell
    metric: str
    """What the scores are in."""
    scores: list[float]
    """One per shuffle."""
    coverage: dict[str, int]
    """How many numbers were asked for, and how many the embedder has."""
    choices: list[dict[str, Any]]
    """The settings that each shuffle's development numbers chose."""
    made: dict[str, Any]
    """Time, device, processor and versions. Everything else is the same in every run."""
    predictions: list[list[float]] | None = None
    """The answer to each test item, for each shuffle, where they are few enough to keep."""
    missing: list[float] = field(default_factory=list)
    """The numbers that the embedder lacks and that were left out."""
    pieces: list[int] = field(default_factory=list)
    """Tasks about single numbers: into how many word pieces the embedder cuts each number, in increasing order."""
    layers: list[list[float]] = field(default_factory=list)
    """A sweep over layers: the scores of each. `scores` and `predictions` are those of the last layer."""

    @property
    def _selection(self) -> Selection:
        return Selection(self.cell, tuple(self.missing))

    @property
    def measure(self) -> Metric:
        """The metric that the scores are in."""
        return METRICS.build(self.metric)

    def held_out(self, seed: int) -> list[float]:
        """The test numbers of a shuffle, in increasing order."""
        values: list[float] = self._selection.held_out(seed).tolist()
        return values

    def truths(self, seed: int) -> np.ndarray:
        """The right answers to the test items of a shuffle, in the order of `predictions`."""
        return self._selection.items(seed, "test").targets

    def rescored(self, metric: str) -> "Result":
        """The same answers in another metric."""
        measure = METRICS.build(metric)
        task = self.cell.parts.task
        if metric == self.metric:
            return self
        if measure.answer is not task.answer:
            raise NumprobeError(f"metric '{metric}' scores a {measure.answer.value}, not a {task.answer.value}")
        if self.predictions is None:
            raise NumprobeError(f"the answers of {self.cell} were not kept, so they can't be scored again")
        scores = [measure.score(np.array(row), self.truths(seed)) for seed, row in enumerate(self.predictions)]
        return replace(self, metric=metric, scores=scores, layers=[])

    def pieces_of(self) -> dict[float, int]:
        """How many word pieces each number has; empty if the embedder cuts none."""
        values = self._selection.values.tolist()
        return dict(zip(values, self.pieces, strict=False))  # a stranger's may be too few

    def by_layer(self) -> "list[Result]":
        """Split a sweep into one result per layer, named after it; any other result stays as it is."""
        if not self.layers:
            return [self]
        spec = Spec.parse(self.cell.embedder)
        others = tuple((key, value) for key, value in spec.settings if key != "layer")
        layers = []
        for number, scores in enumerate(self.layers):
            named = str(Spec(spec.name, (*others, ("layer", str(number)))))
            cell = replace(self.cell, embedder=named)
            if self.cell.parts.is_named:
                cell = Cell.make(**cell.as_dict())
            layers.append(replace(self, cell=cell, scores=scores, layers=[], predictions=None))
        return layers

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
        """Read a stored result, perhaps a stranger's; raise ValueError, TypeError or KeyError if it is none."""
        cell = _checked_cell(data["cell"])
        given = {own.name: data[own.name] for own in fields(cls) if own.name != "cell"}
        _check_fields(cell, given)
        return cls(cell=cell, **given)


@dataclass(frozen=True)
class _Unknown:
    """An embedder of which only the name is left."""

    name: str


def _checked_cell(fields: dict[str, Any]) -> Cell:
    """Refuse fields that no `Cell.make` gives."""
    if not all(isinstance(value, int if name == "seeds" else str) for name, value in fields.items()):
        raise NumprobeError("its cell holds something other than text")
    own = {name: value for name, value in fields.items() if name != "protocol"}
    embedder = own.pop("embedder")
    known = Spec.parse(embedder).name in EMBEDDERS
    cell = Cell.make(embedder if known else _Unknown(embedder), **own)
    if not cell.embedder.isprintable() or cell.as_dict() != {"embedder": embedder, **own}:
        raise NumprobeError("its cell is not spelt as numprobe spells it")
    return cell


def _check_fields(cell: Cell, fields: dict[str, Any]) -> None:
    """Refuse fields that no run of the cell gives."""
    layers, predictions, coverage = fields["layers"], fields["predictions"], fields["coverage"]
    sound = (
        fields["metric"] == cell.parts.task.metric
        and _are_numbers(fields["scores"])
        and fields["scores"]
        and isinstance(coverage, dict)
        and coverage.keys() == {"covered", "asked"}
        and all(type(count) is int and count >= 0 for count in coverage.values())
        and isinstance(fields["choices"], list)
        and all(isinstance(choice, dict) for choice in fields["choices"])
        and isinstance(fields["made"], dict)
        and _are_numbers([fields["made"].get("seconds", 0.0)])
        and (predictions is None or (isinstance(predictions, list) and all(map(_are_numbers, predictions))))
        and _are_numbers(fields["missing"])
        and _are_numbers(fields["pieces"])
        and len(fields["pieces"]) in (0, coverage["covered"])
        and isinstance(layers, list)
        and all(_are_numbers(layer) and layer for layer in layers)
    )
    if not sound:
        raise NumprobeError("its fields are not those of a result")


def _are_numbers(values: Any) -> bool:
    """Whether it is a list of numbers that are finite, also when squared; their sum stands for all of them."""
    if not isinstance(values, list) or not set(map(type, values)) <= {int, float}:
        return False
    try:
        return math.isfinite(sum(value * value for value in values))
    except OverflowError:  # a whole number beyond all floats
        return False
