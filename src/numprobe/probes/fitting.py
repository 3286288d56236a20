"""From the numbers of a split to answers for its test items, under a protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from numprobe.numbers import generator
from numprobe.probes import linear
from numprobe.probes.engine import Bank, Data, Schedule
from numprobe.probes.models import MODELS
from numprobe.tasks import Metric

PROTOCOLS = ("strict", "paper")
PROBES = ("linear", *MODELS)


@dataclass(frozen=True)
class Prepared:
    """What to learn from and what to answer, for some seeds."""

    learn: Data
    answer: Data
    shift: Tensor
    """(datasets, 1): mean of the targets to learn."""
    scale: Tensor
    """(datasets, 1): their deviation."""


Prepare = Callable[[str, str, Sequence[int]], Prepared]
"""(part to learn from, part to answer, seeds) -> data; the parts are those of a Split."""


@dataclass(frozen=True)
class Recipe:
    """What is tried and for how long. The first width and rate are those of the `paper` protocol."""

    widths: tuple[int, ...]
    rates: tuple[float, ...]
    batch: int
    steps: int
    """Steps for 100 items; ten times the items take twice the steps. More than ten items per number do not count."""

    def schedule(self, data: Data) -> Schedule:
        growth = max(1.0, (min(data.items, 10 * data.inputs.count) / 100) ** 0.3)
        return Schedule(steps=round(self.steps * growth), batch=min(self.batch, data.items))


RECIPES = {
    "mlp": Recipe(widths=(100,), rates=(1e-2, 3e-3, 3e-2), batch=256, steps=1000),
    "bilstm": Recipe(widths=(100,), rates=(2e-2, 1e-2), batch=256, steps=220),
}


@dataclass(frozen=True)
class Answers:
    """What the probes said of the test items, per seed, in the original unit."""

    predictions: np.ndarray
    targets: np.ndarray
    choices: list[dict[str, Any]]
    """What `strict` chose on the development numbers."""

    def scores(self, metric: Metric) -> list[float]:
        if metric == "accuracy":
            return (self.predictions == self.targets).mean(axis=1).tolist()
        return np.sqrt(np.square(self.predictions - self.targets).mean(axis=1)).tolist()


def fit(probe: str, metric: Metric, protocol: str, prepare: Prepare, seeds: Sequence[int], recipe: Recipe | None = None) -> Answers:
    """Train one probe per seed and answer the test items. The test numbers are touched once."""
    if probe == "linear":
        prepared = prepare("train", "test", seeds)
        predictions = linear.predict(linear.solve(prepared.learn), prepared.answer)
        return _answers([(list(seeds), predictions, prepared)], metric, [{} for _ in seeds])
    recipe = recipe or RECIPES[probe]
    choices = _choose(probe, metric, recipe, prepare, seeds) if protocol == "strict" else [
        {"width": recipe.widths[0], "rate": recipe.rates[0], "stop": 1.0} for _ in seeds
    ]
    parts = []
    for width in sorted({choice["width"] for choice in choices}):
        group = [at for at, choice in enumerate(choices) if choice["width"] == width]
        prepared = prepare("train", "test", [seeds[at] for at in group])
        bank = _bank(probe, metric, prepared.learn, width)
        schedule = recipe.schedule(prepared.learn)
        rates = torch.tensor([[choices[at]["rate"]] for at in group])
        stops = [round(choices[at]["stop"] * schedule.checkpoints) for at in group]
        kept: list[Tensor] = [torch.empty(0)] * len(group)
        for reached, matrix in bank.train(prepared.learn, schedule, rates, _rngs([seeds[at] for at in group])):
            for place, stop in enumerate(stops):
                if stop == reached:
                    kept[place] = matrix[place].clone()
            if reached == max(stops):
                break
        predictions = bank.predictions(torch.stack(kept), prepared.answer)
        parts.append((group, predictions, prepared))
    return _answers(parts, metric, choices)


def _choose(probe: str, metric: Metric, recipe: Recipe, prepare: Prepare, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """Width, learning rate and stopping point with the least error on each seed's development numbers."""
    prepared = prepare("fit", "development", seeds)
    schedule = recipe.schedule(prepared.learn)
    rates = torch.tensor([recipe.rates] * len(seeds))
    tried: list[dict[str, Any]] = []
    errors: list[np.ndarray] = []
    for width in recipe.widths:
        bank = _bank(probe, metric, prepared.learn, width)
        for reached, matrix in bank.train(prepared.learn, schedule, rates, _rngs(seeds)):
            tried += [{"width": width, "rate": rate, "stop": reached / schedule.checkpoints} for rate in recipe.rates]
            errors.append(bank.errors(matrix, prepared.answer).view(len(seeds), -1).cpu().numpy())
    best = np.concatenate(errors, axis=1).argmin(axis=1)
    return [tried[at] for at in best]


def _bank(probe: str, metric: Metric, data: Data, width: int) -> Bank:
    return Bank(MODELS[probe], metric, data.inputs, data.numbers.shape[2], width)


def _rngs(seeds: Sequence[int]) -> list[np.random.Generator]:
    return [generator(seed, "probe") for seed in seeds]


def _answers(parts: list[tuple[list[int], Tensor, Prepared]], metric: Metric, choices: list[dict[str, Any]]) -> Answers:
    predictions: dict[int, np.ndarray] = {}
    targets: dict[int, np.ndarray] = {}
    for group, predicted, prepared in parts:
        wanted = prepared.answer.targets
        if metric == "rmse":
            predicted, wanted = (x.double() * prepared.scale + prepared.shift for x in (predicted, wanted))
        for place, at in enumerate(group):
            predictions[at], targets[at] = predicted[place].cpu().numpy(), wanted[place].cpu().numpy()
    order = range(len(choices))
    return Answers(np.stack([predictions[at] for at in order]), np.stack([targets[at] for at in order]), choices)
