"""What a language model knows against what it says: the same items, by a linear probe of its states and in words.

The probe reads the states of each layer inside the very prompt that the model answers: at the item's numbers, or at the
end, where the answer begins; and beside it the states of the numbers on their own. It is right if its rounded answer is
exactly right, as the reply is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numprobe.embedders.speech import Dialogue
from numprobe.errors import at_least
from numprobe.experiments.cell import Cell
from numprobe.experiments.inside import Shuffle, conversing
from numprobe.probes import Questions
from numprobe.probes.engine.least_squares import regress
from numprobe.probes.linear import PENALTIES
from numprobe.probes.replies import is_right, with_places
from numprobe.tasks import Answer

READINGS = ("numbers", "end", "isolated")
"""Where the probe reads: at the numbers in the prompt, at its end, or the numbers on their own."""


@dataclass(frozen=True)
class Known:
    """The items of some shuffles: which were right by the probe, for each reading and layer, and which in words."""

    numbers: np.ndarray
    """(items, arity) values."""
    says: np.ndarray
    """(items,)"""
    unreadable: float
    knows: dict[str, np.ndarray]
    """Reading -> (layers, items)."""
    best: dict[str, np.ndarray]
    """Reading -> (items,): by the layer that each shuffle's development numbers chose."""
    layers: dict[str, list[int]]
    """Reading -> the layer that each shuffle chose."""
    phrasings: dict[str, np.ndarray]
    """Phrasing -> (items,): which replies to it are right."""
    chosen: list[str]
    """The phrasing that each shuffle chose, whose replies are `says`."""
    counted: dict[str, int]


@dataclass(frozen=True)
class _Found:
    """The same for one shuffle."""

    numbers: np.ndarray
    replied: dict[str, np.ndarray]
    unreadable: float
    knows: dict[str, np.ndarray]
    layers: dict[str, int]
    chosen: str


def known_and_said(cell: Cell, train: int = 400, development: int = 100, device: str = "auto", first: int = 0) -> Known:
    """Ask the test items of a cell with probe `prompt` in words, and read the answers off the model's states.

    The shuffles are those from `first` on.
    """
    at_least(2, development=development)
    at_least(0, first=first)
    with conversing(cell, train, device) as talk:
        shuffles = [_read(Shuffle(talk, seed), train, development) for seed in range(first, first + cell.seeds)]
        return Known(
            numbers=np.concatenate([one.numbers for one in shuffles]),
            says=np.concatenate([one.replied[one.chosen] for one in shuffles]),
            unreadable=float(np.mean([one.unreadable for one in shuffles])),
            knows={name: np.concatenate([one.knows[name] for one in shuffles], axis=1) for name in READINGS},
            best={name: np.concatenate([one.knows[name][one.layers[name]] for one in shuffles]) for name in READINGS},
            layers={name: [one.layers[name] for one in shuffles] for name in READINGS},
            phrasings={
                template: np.concatenate([one.replied[template] for one in shuffles])
                for template in shuffles[0].replied
            },
            chosen=[one.chosen for one in shuffles],
            counted=talk.interview.counted,
        )


def _read(shuffle: Shuffle, train: int, development: int) -> _Found:
    task, prompt = shuffle.talk.task, shuffle.talk.prompt
    test = shuffle.items("test")
    replies = {template: shuffle.replies(test, template) for template in prompt.phrasings(task)}
    parts = [shuffle.items("fit", train, "knowing"), shuffle.items("development", development, "knowing"), test]
    knows, layers = {}, {}
    for name, tables in _tables(shuffle, parts).items():
        knows[name], layers[name] = _right(shuffle, tables, parts, at_end=name == "end")
    return _Found(
        shuffle.values(test),
        {template: prompt.right(task, test, own) for template, own in replies.items()},
        prompt.unreadable(task, test, replies[shuffle.template]),
        knows,
        layers,
        shuffle.template,
    )


def _tables(shuffle: Shuffle, parts: Sequence[Questions]) -> dict[str, list[np.ndarray]]:
    """Reading -> (layers, items, numbers, dimension) states of each part."""
    speaker = shuffle.talk.speaker
    states = [
        speaker.states(
            shuffle.dialogues(part, shuffle.template),
            [with_places(shuffle.template, part.words(at))[1] for at in range(len(part))],
        )
        for part in parts
    ]
    words = [[part.words(at) for at in range(len(part))] for part in parts]
    every = sorted({text for part in words for item in part for text in item})
    table = speaker.states([Dialogue(text) for text in every], [[(0, len(text))] for text in every])[:, :, 0]
    row = {text: at for at, text in enumerate(every)}
    return {
        "numbers": [found[:, :, :-1] for found in states],
        "end": [found[:, :, -1:] for found in states],
        "isolated": [table[:, np.array([[row[text] for text in item] for item in part])] for part in words],
    }


def _right(
    shuffle: Shuffle, tables: Sequence[np.ndarray], parts: Sequence[Questions], at_end: bool
) -> tuple[np.ndarray, int]:
    """(layers, items): which test items each layer's probe gets right; and which layer is best on development."""
    task, decimals = shuffle.talk.task, shuffle.talk.cell.parts.numbers.decimals
    values = [shuffle.values(part) for part in parts]
    chooses = task.answer is Answer.CHOICE
    each = chooses and not at_end  # the value of each number, and then the task's choice among them
    wanted = [
        own.ravel() if each else _chosen(own, part.targets) if chooses else part.targets
        for own, part in zip(values, parts, strict=True)
    ]
    right, ranks = [], []
    for layer in range(len(tables[0])):
        given = [_rows(own[layer], each) for own in tables]
        answers, error = regress(given[0], wanted[0], given[1], wanted[1], given[1:], PENALTIES)
        hits = []
        for own, part, answered in zip(values[1:], parts[1:], answers, strict=True):
            if each:
                hits.append(task.truths(answered.reshape(own.shape)) == part.targets)
            elif chooses:
                hits.append(np.abs(own - answered[:, None]).argmin(axis=1) == part.targets)
            else:
                hits.append(is_right(np.round(answered, decimals), part.targets))
        ranks.append((-hits[0].mean(), error))  # the most right answers, and then the least error
        right.append(hits[1])
    return np.stack(right), min(range(len(ranks)), key=lambda layer: ranks[layer])


def _rows(states: np.ndarray, each: bool) -> np.ndarray:
    """Features: the states of each number, or of all numbers of an item, one after another."""
    return states.reshape(-1, states.shape[-1]) if each else states.reshape(len(states), -1)


def _chosen(values: np.ndarray, targets: np.ndarray) -> np.ndarray:
    return np.asarray(np.take_along_axis(values, targets[:, None].astype(int), axis=1)[:, 0])
