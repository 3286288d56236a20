"""From the numbers of a split to answers about its test items."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import torch
from torch import Tensor

from numprobe.kernels.parameters import Weights
from numprobe.numbers import generator
from numprobe.probes.base import Answers, Dataset, Prepare
from numprobe.probes.engine.bank import Bank, Data, Schedule
from numprobe.probes.engine.objectives import OBJECTIVES, Objective
from numprobe.probes.network import NetworkProbe, Recipe
from numprobe.tasks import Answer

CHOOSING_ITEMS = 2_000
"""Development items on which settings are compared. More would take longer than the training."""

LEARNT = 0.1
"""A setting has learnt something if it avoids at least this share of a guesser's errors."""


@dataclass(frozen=True)
class Choice:
    """The settings with which one probe learns."""

    width: int
    rate: float
    stop: float = 1.0
    """The share of the schedule after which it stops."""


def fit_networks(probe: NetworkProbe, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
    """Choose settings on development numbers, train one network per dataset on all training numbers, and answer."""
    objective = OBJECTIVES[kind]
    choices = _choose(probe, objective, prepare, datasets)
    answered: dict[Dataset, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
    for width in sorted({choice.width for choice in choices}):
        group = [dataset for dataset, choice in zip(datasets, choices, strict=True) if choice.width == width]
        prepared = prepare("train", "test", group)
        bank = Bank(probe, objective, prepared.learn, width)
        weights = _train(bank, prepared.learn, probe.recipe, group, [c for c in choices if c.width == width])
        both = prepared.in_unit(bank.answers(weights, prepared.answer), kind)
        answered |= zip(group, zip(*both, prepared.guess, strict=True), strict=True)
    given, truths, guesses = zip(*(answered[dataset] for dataset in datasets), strict=True)
    return Answers(np.stack(given), np.stack(truths), np.stack(guesses), [asdict(choice) for choice in choices])


def _choose(probe: NetworkProbe, objective: Objective, prepare: Prepare, datasets: Sequence[Dataset]) -> list[Choice]:
    """Find the width, rate and stopping point with the least error on each dataset's development numbers.

    If all settings still guess when they are compared, the choice would be chance: take the first, to the end.
    """
    recipe = probe.recipe
    prepared = prepare("fit", "development", datasets)
    judged = prepared.answer.thinned(CHOOSING_ITEMS)
    schedule = _schedule(recipe, prepared.learn, recipe.trial)
    rates = torch.tensor([recipe.rates] * len(datasets))
    tried: list[Choice] = []
    errors: list[Tensor] = []
    for width in recipe.widths:
        bank = Bank(probe, objective, prepared.learn, width)
        for reached, weights in bank.train(prepared.learn, schedule, rates, _rngs(datasets)):
            tried += [Choice(width, rate, reached / schedule.checkpoints) for rate in recipe.rates]
            errors.append(bank.errors(weights, judged).view(len(datasets), -1))
    least, best = torch.cat(errors, dim=1).min(dim=1)
    chosen = [tried[at] for at in best.tolist()]
    guessing = objective.guessing(judged.numbers.shape[2])
    if guessing is None:
        return chosen
    first = Choice(recipe.widths[0], recipe.rates[0])
    learnt = (least < (1 - LEARNT) * guessing).tolist()
    return [choice if has_learnt else first for choice, has_learnt in zip(chosen, learnt, strict=True)]


def _train(bank: Bank, data: Data, recipe: Recipe, datasets: Sequence[Dataset], choices: Sequence[Choice]) -> Weights:
    """Train one probe per dataset and keep its weights at its own stopping point."""
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


def _rngs(datasets: Sequence[Dataset]) -> list[np.random.Generator]:
    return [generator(dataset.seed, "probe") for dataset in datasets]
