"""From the numbers of a split to answers about its test items."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product

import torch
from torch import Tensor

from numprobe.kernels.layers import spread
from numprobe.numbers import generator
from numprobe.probes.base import Answers, Dataset, Prepare, Prepared
from numprobe.probes.engine.bank import Bank, Run, Settings
from numprobe.probes.engine.objectives import OBJECTIVES
from numprobe.probes.network import NetworkProbe
from numprobe.tasks import Answer

CHOOSING_ITEMS = 2_000
"""Development items on which settings are compared. More would take longer than the training."""

GAIN = 0.03
"""More steps are worth it if twice as many avoid more than this share of the errors."""


@dataclass(frozen=True)
class Choice:
    """How one probe learns, as its development numbers chose."""

    rate: float
    length: float
    steps: int
    error: float
    """On development numbers, relative to guessing."""
    stopped: str = "by itself"
    """Whether more steps were no better, or `at the limit`."""


def fit_networks(probe: NetworkProbe, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
    """Choose settings on development numbers, train one network per dataset on all training numbers, and answer."""
    choices = _choose(_Training(probe, kind, prepare("fit", "development", datasets), datasets))
    return fit_chosen(probe, kind, prepare("train", "test", datasets), datasets, choices)


def fit_chosen(
    probe: NetworkProbe, kind: Answer, prepared: Prepared, datasets: Sequence[Dataset], choices: Sequence[Choice]
) -> Answers:
    """Train one network per dataset as chosen, and answer."""
    training = _Training(probe, kind, prepared, datasets)
    answers = torch.empty_like(prepared.answer.targets)
    for steps in sorted({choice.steps for choice in choices}):
        some = [at for at, choice in enumerate(choices) if choice.steps == steps]
        run = training.start(some, [[choices[at]] for at in some])
        answers[some] = run.bank.answers(run.train(steps, probe.recipe.anneals), prepared.answer.among(some))
    seen = min(probe.recipe.batch, prepared.learn.items) / prepared.learn.items
    told = [{**asdict(choice), "passes": float(f"{choice.steps * seen:.4g}")} for choice in choices]
    return Answers(*prepared.in_unit(answers, kind), prepared.guess, told)


@dataclass(frozen=True)
class _Training:
    """Networks that learn from one part of each dataset's split, and are judged on another."""

    probe: NetworkProbe
    kind: Answer
    prepared: Prepared
    datasets: Sequence[Dataset]

    def start(self, some: Sequence[int], choices: Sequence[Sequence[Choice]]) -> Run:
        """Start to train on some of the datasets, with one or more choices for each."""
        learn = self.prepared.learn.among(some)
        settings = Settings(
            torch.tensor([[choice.rate for choice in own] for own in choices]),
            torch.tensor([[choice.length for choice in own] for own in choices]),
        )
        rngs = [generator(self.datasets[at].seed, "probe") for at in some]
        return Run(Bank(self.probe, OBJECTIVES[self.kind], learn), learn, settings, rngs)

    def errors(self, some: Sequence[int], run: Run, steps: int) -> Tensor:
        """Train on, and judge on development numbers: (datasets, choices) errors relative to guessing."""
        weights = run.train(steps, self.probe.recipe.anneals)
        data = self.prepared.answer.thinned(CHOOSING_ITEMS).among(some)
        answers = run.bank.answers(weights, data)
        targets = spread(data.targets, len(answers))
        return run.bank.objective.errors(answers, targets, data.numbers.shape[2]).view(len(some), -1)


def _choose(training: _Training) -> list[Choice]:
    """Find the rate and the length, and then the steps, with the least error on each dataset's development numbers.

    The number of steps doubles until that is not worth it any more. Where the learning rate falls to zero, each time is
    a new training; otherwise one training goes on.
    """
    recipe, steps = training.probe.recipe, training.probe.recipe.steps
    going = list(range(len(training.datasets)))
    tried = [Choice(rate, length, steps, 0.0) for rate, length in product(recipe.rates, recipe.lengths)]
    run = training.start(going, [tried] * len(going))
    least, best = training.errors(going, run, steps).min(dim=1)
    chosen = [replace(tried[at], error=error) for at, error in zip(best.tolist(), least.tolist(), strict=True)]
    run.keep([at * len(tried) + own for at, own in enumerate(best.tolist())], going)
    while going and 2 * steps <= recipe.most_steps:
        steps *= 2
        if recipe.anneals:
            run = training.start(going, [[chosen[at]] for at in going])
        errors = training.errors(going, run, steps)[:, 0].tolist()
        still = []
        for place, (at, error) in enumerate(zip(going, errors, strict=True)):
            before = chosen[at].error
            if error < (1 + GAIN) * before:  # as good, or better
                chosen[at] = replace(chosen[at], steps=steps, error=error)
            if before - error > max(GAIN * before, run.bank.objective.least_gain):
                still.append(place)
        run.keep(still, still)
        going = [going[place] for place in still]
    return [replace(choice, stopped="at the limit") if at in going else choice for at, choice in enumerate(chosen)]
