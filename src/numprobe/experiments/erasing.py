"""Does a language model use what it holds? Change it at the numbers of a prompt, and watch the answers.

Value, logarithm and digits are erased at all numbers of an item. A digit of its first number is turned to the opposite
side of the circle of ten digits, so that 2 becomes 7; and its first number is pushed along the direction of the value.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch

from numprobe.errors import NumprobeError, at_least
from numprobe.experiments.cell import Cell
from numprobe.experiments.inside import Prompts, Shuffle, conversing
from numprobe.kernels.erasure import Eraser, Push, leace, push, random_eraser, random_push
from numprobe.metrics import Determination
from numprobe.numbers import generator, write
from numprobe.probes import Questions
from numprobe.probes.engine.least_squares import regress
from numprobe.probes.linear import PENALTIES
from numprobe.probes.replies import read_number

CONCEPTS = ("value", "logarithm", "digits")
TURNED = ("units", "tens")
DRAWS = 3
"""Random changes beside each true one."""
STEP = 0.1
"""How far a number is pushed, as a share of the range."""
JUDGES = 0.25
"""Development items that choose the penalty of a probe, for each that it learns from."""

States = tuple[np.ndarray, np.ndarray]
"""The states of all pieces of all numbers, and the value of each piece's number."""


def digit(values: np.ndarray, place: int) -> np.ndarray:
    """A digit of each number, units being place 0.

    >>> digit(np.array([7.0, 75.0]), 1).tolist()
    [0, 7]
    """
    return np.asarray(np.abs(values).astype(np.int64) // 10**place % 10)


def concept(name: str, values: np.ndarray) -> np.ndarray:
    """(values, k): what is erased, or turned: the value, its logarithm, all digits, or one of them on a circle.

    >>> concept("digits", np.array([7.0, 75.0])).shape, concept("units", np.array([7.0, 75.0])).shape
    ((2, 20), (2, 2))
    """
    if name == CONCEPTS[0]:
        return values[:, None]
    if name == CONCEPTS[1]:
        return np.asarray((np.sign(values) * np.log2(1 + np.abs(values)))[:, None])
    if name in TURNED:
        angle = 2 * np.pi * digit(values, TURNED.index(name)) / 10
        return np.column_stack((np.cos(angle), np.sin(angle)))
    places = range(len(str(int(np.abs(values).max()))))
    return np.concatenate([np.eye(10)[digit(values, place)] for place in places], axis=1)


@dataclass(frozen=True)
class Effect:
    """What one change does to the test items."""

    change: str
    """Such as `erase value`, `turn units` or `push value`."""
    rank: int
    measured: dict[str, tuple[np.ndarray, np.ndarray]]
    """Measure -> (items,) after the change, and on average after random changes of the same rank and length.

    `right` is whether the answer is the right one, and `changed` whether it differs from the one before. `follows` is
    whether it is the right one about the changed number. `shift` is how far it moves in units of the push, at most 1.
    """
    correlation: float | None = None
    """The largest correlation of an erased training state with the concept."""
    determination: float | None = None
    """R² of a linear probe of the value, learned from erased states of training numbers, on erased test states."""


@dataclass(frozen=True)
class Effects:
    numbers: np.ndarray
    """(items, arity)"""
    right: np.ndarray
    """(items,): whether the answer is right when nothing is changed."""
    determination: float
    """R² of a linear probe of the value on test states when nothing is changed."""
    phrasings: list[str]
    each: list[Effect]


def effects(cell: Cell, layer: int, train: int = 200, device: str = "auto", first: int = 0) -> Effects:
    """Change the states after a layer at the pieces of the numbers of a cell with probe `prompt`.

    The shuffles are those from `first` on.
    """
    at_least(0, first=first)
    with conversing(cell, train, device) as talk:
        last = talk.speaker.model.config.num_hidden_layers - 1  # the states after the last layer are also normalised
        if not 0 <= layer <= last:
            raise NumprobeError(f"{cell.embedder} has layers 0 to {last} that can be changed, and no layer {layer}")
        shuffles = [_Changing(Shuffle(talk, seed), layer, train).effects() for seed in range(first, first + cell.seeds)]
    return Effects(
        np.concatenate([one.numbers for one in shuffles]),
        np.concatenate([one.right for one in shuffles]),
        float(np.mean([one.determination for one in shuffles])),
        [template for one in shuffles for template in one.phrasings],
        [_pooled(own) for own in zip(*(one.each for one in shuffles), strict=True)],
    )


def _pooled(shuffles: Sequence[Effect]) -> Effect:
    """The items of all shuffles, the largest correlation, and the mean R²."""
    one = shuffles[0]

    def joined(name: str, side: int) -> np.ndarray:
        return np.concatenate([own.measured[name][side] for own in shuffles])

    measured = {name: (joined(name, 0), joined(name, 1)) for name in one.measured}
    if one.correlation is None:
        return replace(one, measured=measured)
    return replace(
        one,
        measured=measured,
        rank=max(own.rank for own in shuffles),
        correlation=max(own.correlation or 0.0 for own in shuffles),
        determination=float(np.mean([own.determination for own in shuffles])),
    )


@dataclass(frozen=True)
class _Watch:
    """The test items of one shuffle, and what the model says about them while its states are changed."""

    shuffle: Shuffle
    layer: int

    @cached_property
    def test(self) -> Questions:
        return self.shuffle.items("test")

    @cached_property
    def numbers(self) -> np.ndarray:
        return self.shuffle.values(self.test)

    @cached_property
    def prompts(self) -> Prompts:
        return self.shuffle.prompts(self.test)

    @cached_property
    def before(self) -> list[str]:
        return self._say(lambda given: given, only_first=False)

    def right(self, replies: Sequence[str]) -> np.ndarray:
        return self.shuffle.talk.prompt.right(self.shuffle.talk.task, self.test, replies)

    def effect(
        self,
        name: str,
        change: Eraser | Push,
        controls: Sequence[Eraser | Push],
        values: np.ndarray | None = None,
        by: float = 0,
    ) -> Effect:
        """Change all numbers; or where it makes new values of the items' first numbers, those alone."""

        def measure(one: Eraser | Push) -> dict[str, np.ndarray]:
            replies = self._say(one, only_first=values is not None)
            changed = np.array([own != other for own, other in zip(self.before, replies, strict=True)])
            found = {"right": self.right(replies), "changed": changed}
            if values is not None:
                found["follows"] = self._follows(replies, values)
            if by:
                found["shift"] = _shift(self.before, replies, by)
            return found

        after, random = measure(change), [measure(control) for control in controls]
        return Effect(
            name, change.rank, {key: (own, np.mean([one[key] for one in random], axis=0)) for key, own in after.items()}
        )

    def _say(self, change: Any, only_first: bool) -> list[str]:
        places = [numbers[0] if only_first else [at for own in numbers for at in own] for _, numbers in self.prompts]
        return self.shuffle.talk.speaker.changed([ids for ids, _ in self.prompts], places, self.layer, change)

    def _follows(self, replies: Sequence[str], values: np.ndarray) -> np.ndarray:
        """Which replies are right about the items with other first numbers."""
        talk, others = self.shuffle.talk, np.column_stack((values, self.numbers[:, 1:]))
        texts = write(others.ravel(), talk.cell.parts.form)
        wanted = Questions(texts, np.arange(others.size).reshape(others.shape), talk.task.truths(others))
        return talk.prompt.right(talk.task, wanted, replies)


@dataclass(frozen=True)
class _Changing:
    """The changes of one shuffle, fitted on training numbers."""

    shuffle: Shuffle
    layer: int
    train: int

    def effects(self) -> Effects:
        watch = _Watch(self.shuffle, self.layer)
        states, values = self._learned("train", self.train)
        parts = (
            self._learned("fit", self.train),
            self._learned("development", math.ceil(JUDGES * self.train)),
            self._states(watch.prompts, watch.numbers),
        )
        each = []
        for name in CONCEPTS:
            eraser = leace(states, concept(name, values))
            learn, judge, test = ((_applied(eraser, own), truths) for own, truths in parts)
            each.append(
                replace(
                    watch.effect(f"erase {name}", eraser, self._random_erasers(states, eraser, name)),
                    correlation=_correlation(_applied(eraser, states), concept(name, values)),
                    determination=determination(learn, judge, test),
                )
            )
        first = watch.numbers[:, 0]
        for place, name in enumerate(TURNED):
            turner = replace(leace(states, concept(name, values)), times=2)
            turned = first + np.where(first < 0, -1, 1) * 10**place * np.where(digit(first, place) < 5, 5, -5)
            each.append(watch.effect(f"turn {name}", turner, self._random_erasers(states, turner, name), turned))
        span = self.shuffle.talk.cell.parts.numbers.values()
        by = max(1.0, round(STEP * float(span.max() - span.min())))
        pusher = push(states, values, by)
        pushes = [random_push(states, pusher, self._generator("push", draw)) for draw in range(DRAWS)]
        each.append(watch.effect(f"push value by {by:g}", pusher, pushes, first + by, by))
        right = watch.right(watch.before)
        return Effects(watch.numbers, right, determination(*parts), [self.shuffle.template], each)

    def _learned(self, part: str, items: int) -> States:
        """The states of a sample of one part of the split."""
        some = self.shuffle.items(part, items, "erasing")
        return self._states(self.shuffle.prompts(some), self.shuffle.values(some))

    def _states(self, prompts: Prompts, values: np.ndarray) -> States:
        rows, truths = [], []
        for at, layers in self.shuffle.states(prompts):
            for value, places in zip(values[at].tolist(), prompts[at][1], strict=True):
                rows.append(layers[self.layer, places].astype(np.float64))
                truths += [value] * len(places)
        return np.concatenate(rows), np.array(truths)

    def _random_erasers(self, states: np.ndarray, true: Eraser, name: str) -> list[Eraser]:
        return [random_eraser(states, true, self._generator(name, draw)) for draw in range(DRAWS)]

    def _generator(self, name: str, draw: int) -> np.random.Generator:
        return generator(self.shuffle.seed, "erasing", name, str(draw))


def _shift(before: Sequence[str], after: Sequence[str], by: float) -> np.ndarray:
    """How far numeric replies move, in units of a push, between -1 and 1; 0 if either is no number."""
    values = [(read_number(one), read_number(other)) for one, other in zip(before, after, strict=True)]
    moves = [0.0 if one is None or other is None else (other - one) / by for one, other in values]
    return np.clip(moves, -1, 1)


def _applied(eraser: Eraser, states: np.ndarray) -> np.ndarray:
    return np.asarray(eraser(torch.from_numpy(states)).numpy())


def _correlation(states: np.ndarray, wanted: np.ndarray) -> float:
    """The largest correlation of any dimension with any column; dimensions that are empty count as 0."""
    states, wanted = states - states.mean(axis=0), wanted - wanted.mean(axis=0)
    lengths = np.linalg.norm(states, axis=0)[:, None] * np.linalg.norm(wanted, axis=0)
    floor = 1e-12 * lengths.max()
    return float(np.abs((states.T @ wanted) / np.maximum(lengths, floor)).max())


def determination(learn: States, judge: States, test: States) -> float:
    """R² on test states of a linear regression of the value, whose penalty other states choose."""
    (answers,), _ = regress(*learn, *judge, [test[0]], PENALTIES)
    return Determination().score(answers, test[1], 0.0)
