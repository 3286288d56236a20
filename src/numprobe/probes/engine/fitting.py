"""From the numbers of a split to answers about its test items."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby

import torch
from torch import Tensor

from numprobe.kernels.layers import spread
from numprobe.numbers import generator
from numprobe.probes.base import Answers, Dataset, Prepare, Prepared, development
from numprobe.probes.engine.bank import Bank, Run, Settings
from numprobe.probes.engine.objectives import OBJECTIVES
from numprobe.probes.network import NetworkProbe, Way
from numprobe.tasks import Answer

CHOOSING_ITEMS = 5_000
"""Development items on which settings are compared. More would take longer than the training."""

FURTHER = 0.25
"""A training that does not anneal goes on with all training numbers for this share of the chosen steps."""

GAIN = 0.02
"""More steps are worth it if twice as many avoid more than this share of the errors."""


@dataclass(frozen=True)
class Choice:
    """How one probe learns, as its development numbers chose."""

    rate: float
    length: float
    batch: int
    steps: int
    error: float
    """On development numbers, relative to guessing."""
    folds: int = 1
    """How many times a fifth of the training numbers was for development."""
    stopped: str = "by itself"
    """Whether more steps were no better, or `at the limit`."""


def fit_networks(probe: NetworkProbe, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
    """Choose settings on development numbers, train one network per dataset on all training numbers, and answer."""
    prepared, folded = development(prepare, datasets)
    choices, runs = _choose(_Training(probe, kind, prepared, folded, len(folded) // len(datasets)))
    del prepared  # before the next one is made: it may be large
    prepared = prepare("train", "test", datasets)
    if probe.recipe.anneals:
        return fit_chosen(probe, kind, prepared, datasets, choices)
    answers = torch.empty_like(prepared.answer.targets)
    for at, choice in enumerate(choices):
        run = runs[at]
        run.data = prepared.learn.among([at])
        weights = run.train(taken(probe, choice), anneals=False)
        answers[at] = run.bank.answers(weights, prepared.answer.among([at]))[0]
    return _told(probe, kind, prepared, answers, choices)


def taken(probe: NetworkProbe, choice: Choice) -> int:
    """The steps of a training that ends as chosen."""
    return choice.steps if probe.recipe.anneals else math.ceil((1 + FURTHER) * choice.steps)


def fit_chosen(
    probe: NetworkProbe, kind: Answer, prepared: Prepared, datasets: Sequence[Dataset], choices: Sequence[Choice]
) -> Answers:
    """Train one network per dataset from the beginning, with the chosen settings and steps, and answer.

    A network that does worse than guessing on development numbers guesses: there, it learns nothing but noise.
    """
    training = _Training(probe, kind, prepared, datasets)
    guess = OBJECTIVES[kind].guess
    answers = torch.full_like(prepared.answer.targets, guess or 0)
    learning = [at for at, choice in enumerate(choices) if guess is None or choice.error < 1]
    for steps, batch in sorted({(choices[at].steps, choices[at].batch) for at in learning}):
        some = [at for at in learning if (choices[at].steps, choices[at].batch) == (steps, batch)]
        run = training.start(some, [[choices[at]] for at in some])
        answers[some] = run.bank.answers(run.train(steps, probe.recipe.anneals), prepared.answer.among(some))
    return _told(probe, kind, prepared, answers, choices)


def _told(probe: NetworkProbe, kind: Answer, prepared: Prepared, answers: Tensor, choices: Sequence[Choice]) -> Answers:
    """The answers in their unit, with the choices and how often each item was seen."""
    items = prepared.learn.items
    seen = [taken(probe, choice) * min(choice.batch, items) / items for choice in choices]
    told = [{**asdict(choice), "passes": float(f"{own:.4g}")} for choice, own in zip(choices, seen, strict=True)]
    return Answers(*prepared.in_unit(answers, kind), prepared.guess, told)


@dataclass(frozen=True)
class _Training:
    """Networks that learn from one part of each dataset's split, and are judged on another."""

    probe: NetworkProbe
    kind: Answer
    prepared: Prepared
    folded: Sequence[Dataset]
    folds: int = 1

    def rows(self, some: Sequence[int]) -> list[int]:
        """The folds of some of the datasets."""
        return [at * self.folds + fold for at in some for fold in range(self.folds)]

    def start(self, some: Sequence[int], ways: Sequence[Sequence[Choice | Way]]) -> Run:
        """Start to train on some of the datasets, with one or more ways to learn for each, all with one batch."""
        rows = self.rows(some)
        learn = self.prepared.learn.among(rows)
        settings = Settings(
            spread(torch.tensor([[way.rate for way in own] for own in ways]), len(rows)),
            spread(torch.tensor([[way.length for way in own] for own in ways]), len(rows)),
            ways[0][0].batch,
        )
        rngs = [generator(self.folded[row].seed, "probe") for row in rows]
        return Run(Bank(self.probe, OBJECTIVES[self.kind], learn), learn, settings, rngs)

    def errors(self, some: Sequence[int], run: Run, steps: int) -> Tensor:
        """Train on, and judge on development numbers: (datasets, ways) errors relative to guessing, over all folds."""
        weights = run.train(steps, self.probe.recipe.anneals)
        data = self.prepared.answer.thinned(CHOOSING_ITEMS).among(self.rows(some))
        answers = run.bank.answers(weights, data)
        targets = spread(data.targets, len(answers))
        errors = run.bank.objective.errors(answers, targets, data.numbers.shape[2])
        return errors.view(len(some), self.folds, -1).mean(dim=1)

    def keep(self, run: Run, some: Sequence[int], ways: Sequence[int], among: int = 1) -> None:
        """Go on with some of a run's datasets, and with one of their ways to learn."""
        chosen = [row * among + way for at, way in zip(some, ways, strict=True) for row in self.rows([at])]
        run.keep(chosen, self.rows(some))


def _choose(training: _Training) -> tuple[list[Choice], dict[int, Run]]:
    """Find the way to learn, and then the steps, with the least error on each dataset's development numbers.

    Return the choices, and what each dataset's first fold has learned by then, if a training can go on from there.
    """
    probe, every = training.probe, range(len(training.folded) // training.folds)
    tried, steps = probe.recipe.ways, min(probe.recipe.steps, probe.most_steps)
    groups = [list(own) for _, own in groupby(tried, key=lambda way: way.batch)]
    runs = [training.start(every, [own] * len(every)) for own in groups]
    least, best = torch.cat([training.errors(every, run, steps) for run in runs], dim=1).min(dim=1)
    ways = [tried[at] for at in best.tolist()]
    chosen = [
        Choice(own.rate, own.length, own.batch, steps, error, training.folds)
        for own, error in zip(ways, least.tolist(), strict=True)
    ]
    kept: dict[int, Run] = {}
    for own, run in zip(groups, runs, strict=True):
        some = [at for at in every if ways[at] in own]
        training.keep(run, some, [own.index(ways[at]) for at in some], len(own))
        if not probe.recipe.anneals:
            kept |= {at: run.only(place * training.folds) for place, at in enumerate(some)}
        _lengthen(training, run, some, chosen, kept)
    return chosen, kept


def _lengthen(training: _Training, run: Run, going: list[int], chosen: list[Choice], kept: dict[int, Run]) -> None:
    """Double the number of steps until that is not worth it any more, for some of the datasets.

    Where the learning rate falls to zero, each time is a new training; otherwise one training goes on.
    """
    steps, anneals = run.steps, training.probe.recipe.anneals
    while going and 2 * steps <= training.probe.most_steps:
        steps *= 2
        if anneals:
            run = training.start(going, [[chosen[at]] for at in going])
        errors = training.errors(going, run, steps)[:, 0].tolist()
        still = []
        for place, (at, error) in enumerate(zip(going, errors, strict=True)):
            before = chosen[at].error
            if error <= (1 + GAIN) * before:  # as good, or better
                chosen[at] = replace(chosen[at], steps=steps, error=error)
                if not anneals:
                    kept[at] = run.only(place * training.folds)
            if before - error > max(GAIN * before, run.bank.objective.least_gain):
                still.append(place)
        if not anneals:
            training.keep(run, still, [0] * len(still))
        going = [going[place] for place in still]
    for at in going:
        chosen[at] = replace(chosen[at], stopped="at the limit")
