"""Does a language model use what it holds? Change it at the numbers of a prompt, and watch the answers.

Value, logarithm and digits are erased at all numbers of an item. A digit of its first number is turned to the opposite
side of the circle of ten digits, so that 2 becomes 7; and its first number is pushed along the direction of the value.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
Told = Callable[[Sequence[str]], dict[str, np.ndarray]]
"""What replies after a change show: measure -> (items,)."""


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
class _Changing:
    """The changes of one shuffle."""

    shuffle: Shuffle
    layer: int
    train: int

    def effects(self) -> Effects:
        task, prompt, test = self.shuffle.talk.task, self.shuffle.talk.prompt, self.shuffle.items("test")
        asked, numbers = self.shuffle.prompts(test), self.shuffle.values(test)
        fitted = self._learned("train", self.train)
        seen = self._learned("fit", self.train), self._learned("development", math.ceil(JUDGES * self.train))
        held_out = self._states(asked, numbers)
        ids = [own for own, _ in asked]
        every = [[place for number in places for place in number] for _, places in asked]
        only_first = [places[0] for _, places in asked]

        def say(change: Any, places: Sequence[Sequence[int]]) -> list[str]:
            return self.shuffle.talk.speaker.changed(ids, places, self.layer, change)

        before = say(lambda given: given, every)

        def tell(replies: Sequence[str]) -> dict[str, np.ndarray]:
            changed = np.array([one != other for one, other in zip(before, replies, strict=True)])
            return {"right": prompt.right(task, test, replies), "changed": changed}

        def tell_turned(replies: Sequence[str], values: np.ndarray) -> dict[str, np.ndarray]:
            others = np.column_stack((values, numbers[:, 1:]))
            texts = write(others.ravel(), self.shuffle.talk.cell.parts.form)
            wanted = Questions(texts, np.arange(others.size).reshape(others.shape), task.truths(others))
            return tell(replies) | {"follows": prompt.right(task, wanted, replies)}

        def tell_pushed(replies: Sequence[str], by: float) -> dict[str, np.ndarray]:
            return tell_turned(replies, numbers[:, 0] + by) | {"shift": _shift(before, replies, by)}

        def effect(name: str, change: Eraser | Push, controls: Sequence[Any], places: Any, told: Told) -> Effect:
            after, random = told(say(change, places)), [told(say(control, places)) for control in controls]
            averaged = {key: np.mean([own[key] for own in random], axis=0) for key in after}
            return Effect(name, change.rank, {key: (after[key], averaged[key]) for key in after})

        each = []
        for name in CONCEPTS:
            eraser = leace(fitted[0], concept(name, fitted[1]))
            learn, judge, test_states = ((_applied(eraser, states), values) for states, values in (*seen, held_out))
            found = effect(f"erase {name}", eraser, self._random_erasers(fitted[0], eraser, name), every, tell)
            each.append(
                replace(
                    found,
                    correlation=_correlation(_applied(eraser, fitted[0]), concept(name, fitted[1])),
                    determination=determination(learn, judge, test_states),
                )
            )
        for place, name in enumerate(TURNED):
            turner = replace(leace(fitted[0], concept(name, fitted[1])), times=2)
            turned = numbers[:, 0] + _opposite(digit(numbers[:, 0], place)) * 10**place
            controls = self._random_erasers(fitted[0], turner, name)
            each.append(effect(f"turn {name}", turner, controls, only_first, partial(tell_turned, values=turned)))
        span = self.shuffle.talk.cell.parts.numbers.values()
        by = max(1.0, round(STEP * float(span.max() - span.min())))
        pusher = push(*fitted, by)
        pushes = [random_push(fitted[0], pusher, self._generator("push", draw)) for draw in range(DRAWS)]
        each.append(effect(f"push value by {by:g}", pusher, pushes, only_first, partial(tell_pushed, by=by)))
        return Effects(
            numbers,
            prompt.right(task, test, before),
            determination(*seen, held_out),
            [self.shuffle.template],
            each,
        )

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


def _opposite(digits: np.ndarray) -> np.ndarray:
    """What to add to a digit to get the one on the other side of the circle."""
    return np.where(digits < 5, 5, -5)


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
