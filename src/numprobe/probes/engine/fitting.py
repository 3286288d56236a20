"""From the numbers of a split to answers for its test items, under a protocol."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from numprobe.kernels.parameters import Weights
from numprobe.numbers import generator
from numprobe.probes import PENALTIES, RECIPES, Recipe, linear
from numprobe.probes.engine.bank import Bank, Data, Schedule
from numprobe.probes.models import MODELS
from numprobe.tasks import Metric

CHOOSING_ITEMS = 2_000
"""Development items on which settings are compared: more would take longer than the training."""

LEARNT = 0.1
"""The share of a guesser's errors that a setting must be spared before it counts as having learnt something."""


class Dataset(NamedTuple):
    """What one probe learns from: a shuffle, and a layer of the embedder."""

    seed: int
    layer: int = 0


@dataclass(frozen=True)
class Prepared:
    """What to learn from and what to answer, for some datasets."""

    learn: Data
    answer: Data
    shift: Tensor
    """(datasets, 1): mean of the targets to learn."""
    scale: Tensor
    """(datasets, 1): their deviation."""


Prepare = Callable[[str, str, Sequence[Dataset]], Prepared]
"""(part to learn from, part to answer, datasets) -> data; the parts are those of a Split."""


@dataclass(frozen=True)
class Choice:
    """How one probe learns."""

    width: int
    rate: float
    stop: float = 1.0
    """The share of the schedule after which it stops."""


@dataclass(frozen=True)
class Answers:
    """What the probes said of the test items, per dataset, in the original unit."""

    predictions: np.ndarray
    targets: np.ndarray
    choices: Sequence[Choice | linear.Penalty]
    """How each learnt: under `strict` what was best on its development numbers."""

    def scores(self, metric: Metric) -> list[float]:
        if metric == "accuracy":
            scores = np.mean(self.predictions == self.targets, axis=1)
        else:
            scores = np.sqrt(np.mean(np.square(self.predictions - self.targets), axis=1))
        return [float(score) for score in scores]


def fit(
    probe: str,
    metric: Metric,
    protocol: str,
    prepare: Prepare,
    datasets: Sequence[Dataset],
    recipe: Recipe | None = None,
) -> Answers:
    """Train one probe per dataset and answer the test items. The test numbers are touched once."""
    if probe == "linear":
        return _regress(metric, protocol, prepare, datasets)
    recipe = recipe or RECIPES[probe]
    choices = [_usual(recipe)] * len(datasets)
    if protocol == "strict":
        choices = _choose(probe, metric, recipe, prepare, datasets)
    answered: dict[Dataset, tuple[np.ndarray, np.ndarray]] = {}
    for width in sorted({choice.width for choice in choices}):
        group = [dataset for dataset, choice in zip(datasets, choices, strict=True) if choice.width == width]
        prepared = prepare("train", "test", group)
        bank = _bank(probe, metric, prepared.learn, width)
        weights = _train(bank, prepared.learn, recipe, group, [c for c in choices if c.width == width])
        predictions = bank.predictions(weights, prepared.answer)
        answered |= zip(group, zip(*_in_unit(predictions, prepared, metric), strict=True), strict=True)
    predicted, targets = zip(*(answered[dataset] for dataset in datasets), strict=True)
    return Answers(np.stack(predicted), np.stack(targets), choices)


def _regress(metric: Metric, protocol: str, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
    """Linear regression; `strict` chooses each dataset's penalty on its development numbers."""
    penalties = [PENALTIES[0]] * len(datasets)
    if protocol == "strict":
        prepared = prepare("fit", "development", datasets)
        equations, judged = linear.equations(prepared.learn), prepared.answer.thinned(CHOOSING_ITEMS)
        errors = []
        for penalty in PENALTIES:
            predictions = linear.predict(equations.solve([penalty] * len(datasets)), judged)
            errors.append((predictions - judged.targets).square().mean(dim=1))
        penalties = [PENALTIES[at] for at in torch.stack(errors).argmin(dim=0).tolist()]
    prepared = prepare("train", "test", datasets)
    predictions = linear.predict(linear.equations(prepared.learn).solve(penalties), prepared.answer)
    return Answers(*_in_unit(predictions, prepared, metric), [linear.Penalty(penalty) for penalty in penalties])


def _usual(recipe: Recipe) -> Choice:
    """What `paper` takes: the first of all settings, and the whole schedule."""
    return Choice(recipe.widths[0], recipe.rates[0])


def _choose(probe: str, metric: Metric, recipe: Recipe, prepare: Prepare, datasets: Sequence[Dataset]) -> list[Choice]:
    """Width, learning rate and stopping point with the least error on each dataset's development numbers.

    Where all of them still guess a list's maximum when they are compared, the choice would be chance.
    """
    prepared = prepare("fit", "development", datasets)
    judged = prepared.answer.thinned(CHOOSING_ITEMS)
    schedule = _schedule(recipe, prepared.learn, recipe.trial)
    rates = torch.tensor([recipe.rates] * len(datasets))
    tried: list[Choice] = []
    errors: list[Tensor] = []
    for width in recipe.widths:
        bank = _bank(probe, metric, prepared.learn, width)
        for reached, weights in bank.train(prepared.learn, schedule, rates, _rngs(datasets)):
            tried += [Choice(width, rate, reached / schedule.checkpoints) for rate in recipe.rates]
            errors.append(bank.errors(weights, judged).view(len(datasets), -1))
    least, best = torch.cat(errors, dim=1).min(dim=1)
    chosen = [tried[at] for at in best.tolist()]
    if metric == "accuracy":
        guessing = 1 - 1 / judged.numbers.shape[2]
        learnt = (least < (1 - LEARNT) * guessing).tolist()
        return [choice if is_so else _usual(recipe) for choice, is_so in zip(chosen, learnt, strict=True)]
    return chosen


def _train(bank: Bank, data: Data, recipe: Recipe, datasets: Sequence[Dataset], choices: Sequence[Choice]) -> Weights:
    """The weights of one probe per dataset, each at its own stopping point."""
    schedule = _schedule(recipe, data)
    stops = torch.tensor([round(choice.stop * schedule.checkpoints) for choice in choices])
    rates = torch.tensor([[choice.rate] for choice in choices])
    kept: dict[str, Tensor] = {}
    for reached, weights in bank.train(data, schedule, rates, _rngs(datasets)):
        going = (stops >= reached).to(data.targets.device)
        for name, part in weights.items():
            own = kept.setdefault(name, torch.empty_like(part))
            own[going] = part.detach()[going]
        if reached >= stops.max():
            break
    return kept


def _schedule(recipe: Recipe, data: Data, share: float = 1.0) -> Schedule:
    steps = recipe.steps_for(data.items, data.inputs.count)
    return Schedule(steps=round(steps * share), batch=min(recipe.batch, data.items))


def _bank(probe: str, metric: Metric, data: Data, width: int) -> Bank:
    return Bank(MODELS[probe], metric, data.inputs, data.numbers.shape[2], width)


def _rngs(datasets: Sequence[Dataset]) -> list[np.random.Generator]:
    return [generator(dataset.seed, "probe") for dataset in datasets]


def _in_unit(predictions: Tensor, prepared: Prepared, metric: Metric) -> tuple[np.ndarray, np.ndarray]:
    """Predictions and targets, (datasets, items), values in their original unit."""
    both = [predictions.cpu(), prepared.answer.targets.cpu()]
    if metric == "rmse":
        both = [values.double() * prepared.scale + prepared.shift for values in both]
    return both[0].numpy(), both[1].numpy()
