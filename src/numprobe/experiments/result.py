"""The result of a cell: what was answered, the scores, and everything needed to read or repeat them."""

import math
import statistics
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.selection import Selection
from numprobe.experiments.strangers import check_fields, checked_cell
from numprobe.metrics import METRICS, Metric
from numprobe.registry import Spec
from numprobe.tasks import Answer

FAR = ((10, 0.2), (4, 1.0))
"""A shuffle is outlying if its score is further from the median than so many robust deviations and, at the same time,
than this share of the median. A robust deviation is 1.4826 × the median distance from the median."""
FEWEST = 4
"""Fewer shuffles don't show which of them is far from the others."""

AT_THE_LIMIT = "at the limit"
"""What a choice says of a probe that stopped because its steps ran out, not by itself."""


@dataclass(frozen=True)
class Result:
    """The scores of a cell, what was answered, and everything that it takes to read or repeat them.

    >>> import numprobe
    >>> result = numprobe.probe("value:scale=raw", numbers="0:99", probe="linear")[0]
    >>> result.metric, len(result.scores), round(result.mean, 6)
    ('rmse', 20, 0.0)
    >>> round(result.rescored("r2").mean, 3)
    1.0
    """

    cell: Cell
    metric: str
    """What the scores are in."""
    scores: list[float]
    """One per shuffle."""
    coverage: dict[str, int]
    """How many numbers were asked for, and how many the embedder has."""
    choices: list[dict[str, Any]]
    """The settings that development numbers chose, for each layer and, within it, each shuffle."""
    made: dict[str, Any]
    """Time, device, processor and versions. Everything else is the same in every run."""
    predictions: list[list[float]] | None = None
    """The answer to each test item, for each shuffle, where they are few enough to keep."""
    missing: list[float] = field(default_factory=list)
    """The numbers that the embedder lacks and that were left out."""
    pieces: list[int] = field(default_factory=list)
    """Tasks about single numbers: into how many word pieces the embedder cuts each number, in increasing order."""
    layers: list[list[float]] = field(default_factory=list)
    """A sweep over layers: the scores of each.

    `scores`, `more` and `predictions` are those of the last layer, or with `layer=best` those of the layer that each
    shuffle's development numbers chose.
    """
    more: dict[str, list[float]] = field(default_factory=dict)
    """The same answers in other metrics: name -> one score per shuffle."""
    more_by_layer: dict[str, list[list[float]]] = field(default_factory=dict)
    """A sweep over layers: the scores of each in other metrics."""

    @property
    def _selection(self) -> Selection:
        return Selection(self.cell, tuple(self.missing))

    @property
    def measure(self) -> Metric:
        """The metric that the scores are in."""
        return METRICS.build(self.metric)

    @property
    def lacks(self) -> tuple[float, ...]:
        """What tells which numbers it is about from those of other results on the same range."""
        return self.coverage.get("covered", 0), *self.missing

    @cached_property
    def test_ratio(self) -> float:
        """Test numbers per training number."""
        split = self._selection.split(0)
        return len(split.test) / len(split.train)

    def held_out(self, seed: int) -> list[float]:
        """The test numbers of a shuffle, in increasing order."""
        values: list[float] = self._selection.held_out(seed).tolist()
        return values

    def truths(self, seed: int) -> np.ndarray:
        """The right answers to the test items of a shuffle, in the order of `predictions`."""
        return self._selection.items(seed, "test").targets

    def asked(self, seed: int) -> np.ndarray:
        """The numbers of each test item of a shuffle, (items, arity), in the order of `predictions`."""
        numbers: np.ndarray = self._selection.held_out(seed)[self._selection.items(seed, "test").numbers]
        return numbers

    def guess(self, seed: int) -> float:
        """The mean of the training items' targets of a shuffle; 0 unless they are values."""
        if self.cell.parts.task.answer is not Answer.VALUE:
            return 0.0
        return float(np.mean(self._selection.items(seed, "train").targets))

    def can_be(self, metric: str) -> bool:
        """Whether the scores in a metric of the same kind are known, or can be computed from kept answers."""
        return metric in (self.metric, *self.more) or self.predictions is not None

    def rescored(self, metric: str) -> "Result":
        """The same answers in another metric."""
        measure = METRICS.build(metric)
        task = self.cell.parts.task
        if metric == self.metric:
            return self
        if measure.answer is not task.answer:
            raise NumprobeError(f"metric '{metric}' scores a {measure.answer.value}, not a {task.answer.value}")
        if not self.can_be(metric):
            raise NumprobeError(f"the answers of {self.cell} were not kept, so they can't be scored again")
        scores = self.more.get(metric) or [
            measure.score(np.array(row), self.truths(seed), self.guess(seed))
            for seed, row in enumerate(self.predictions or ())
        ]
        more = {**self.more, self.metric: self.scores}
        layers = self.more_by_layer.get(metric, [])
        by_layer = {**self.more_by_layer, self.metric: self.layers} if layers else {}
        return replace(self, metric=metric, scores=scores, layers=layers, more=more, more_by_layer=by_layer)

    @property
    def across(self) -> "Result | None":
        """The same in the metric that compares results about different numbers; None if it is not known."""
        metric = self.measure.across or self.metric
        return self.rescored(metric) if self.can_be(metric) else None

    @property
    def guessing(self) -> float | None:
        """The score of whoever only guesses: a random position, or the mean of the training items; None if unknown."""
        across = self.more.get(self.measure.across, [None] * len(self.scores))
        choices = self.cell.parts.task.choices
        each = [self.measure.guessing(choices, *scores) for scores in zip(self.scores, across, strict=True)]
        found = [score for score in each if score is not None]
        return math.fsum(found) / len(found) if found else None

    def pieces_of(self) -> dict[float, int]:
        """How many word pieces each number has; empty if the embedder cuts none."""
        values = self._selection.values.tolist()
        return dict(zip(values, self.pieces, strict=False))  # a stranger's may be too few

    def by_layer(self) -> "list[Result]":
        """Split a sweep into one result per layer, named after it; any other result stays as it is.

        The last one is that of the layer with the least error on each shuffle's development numbers, where it is known.
        """
        if not self.layers:
            return [self]
        shuffles = len(self.scores)
        choices = [self.choices[first : first + shuffles] for first in range(0, len(self.choices), shuffles)]
        complete = len(choices) == len(self.layers) and len(choices[-1]) == shuffles
        split = [
            self._layer(str(number), [number] * shuffles, choices[number] if complete else [])
            for number in range(len(self.layers))
        ]
        own = -1  # the layer whose answers were kept
        if complete and all(type(choice.get("error")) in (int, float) for choice in self.choices):
            best = [min(range(len(choices)), key=lambda n: choices[n][seed]["error"]) for seed in range(shuffles)]
            chosen = [{"layer": number, **choices[number][seed]} for seed, number in enumerate(best)]
            split.append(self._layer("best", best, chosen))
            own = -1 if self.scores == split[-1].scores else -2
        if split[own].scores == self.scores:
            split[own] = replace(split[own], predictions=self.predictions, more=self.more)
        return split

    def _layer(self, name: str, layers: list[int], choices: list[dict[str, Any]]) -> "Result":
        """One row of a sweep: the scores of a layer for each shuffle, without what is not known of each layer."""

        def row(sweep: list[list[float]]) -> list[float]:
            return [sweep[number][seed] for seed, number in enumerate(layers)]

        spec = Spec.parse(self.cell.embedder)
        others = tuple((key, value) for key, value in spec.settings if key != "layer")
        cell = replace(self.cell, embedder=str(Spec(spec.name, (*others, ("layer", name)))))
        if self.cell.parts.is_named:
            cell = Cell.make(**cell.as_dict())
        more = {metric: row(sweep) for metric, sweep in self.more_by_layer.items()}
        alone = replace(self, cell=cell, choices=choices, predictions=None, layers=[], more_by_layer={})
        return replace(alone, scores=row(self.layers), more=more)

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

    @property
    def text(self) -> str:
        """The mean and the deviation, as tables show them."""
        return f"{self.mean:.{self.measure.decimals}f} ± {self.std:.{self.measure.decimals}f}"

    @property
    def median(self) -> float:
        return statistics.median(self.scores)

    @property
    def outlying(self) -> list[int]:
        """The shuffles whose score is far from the others', as `FAR` has it.

        With five shuffles, Gaussian scores set off a false alarm in 1 % of results if their deviation is a tenth of
        their mean, and in 4 % if it is three tenths; with more shuffles more rarely.

        >>> cell = Cell.make("value", "decoding", "0:99")
        >>> Result(cell, "rmse", [2.1, 2.0, 2.3, 9.4, 2.2], {}, [], {}).outlying
        [3]
        """
        if len(self.scores) < FEWEST:
            return []
        distances = [abs(score - self.median) for score in self.scores]
        deviation = 1.4826 * statistics.median(distances)
        limit = min(max(times * deviation, share * abs(self.median)) for times, share in FAR)
        limit = max(limit, 0.5 * 10**-self.measure.decimals)  # rounding errors are not far apart
        return [shuffle for shuffle, distance in enumerate(distances) if distance > limit]

    @property
    def seconds(self) -> float:
        """How long a core computed it; for a result that does not say, how long it took."""
        return float(self.made.get("cpu_seconds", self.made.get("seconds", 0.0)))

    def stopped(self) -> tuple[int, int]:
        """How many of its probes stopped at the limit of steps, and of how many that is known."""
        known = [choice["stopped"] for choice in self.choices if "stopped" in choice]
        return known.count(AT_THE_LIMIT), len(known)

    def as_dict(self) -> dict[str, Any]:
        return {
            "cell": self.cell.as_dict(),
            "metric": self.metric,
            "scores": self.scores,
            "mean": self.mean,
            "std": self.std,
            "median": self.median,
            "outlying": self.outlying,
            "more": self.more,
            "coverage": self.coverage,
            "choices": self.choices,
            "settings": self.cell.settings(),
            "made": self.made,
            "predictions": self.predictions,
            "missing": self.missing,
            "pieces": self.pieces,
            "layers": self.layers,
            "more_by_layer": self.more_by_layer,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Result":
        """Read a stored result, perhaps a stranger's; raise ValueError, TypeError or KeyError if it is none."""
        cell = checked_cell(data["cell"], str(data["settings"]["versions"]["embedder"]))
        data = {"more_by_layer": {}, **data}  # older results lack it
        given = {own.name: data[own.name] for own in fields(cls) if own.name != "cell"}
        check_fields(cell, given)
        return cls(cell=cell, **given)
