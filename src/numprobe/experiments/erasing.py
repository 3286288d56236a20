"""Does a language model use what it holds? Erase it at the numbers of a prompt, and watch the answers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from numprobe.embedders.states import States
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.kernels.device import one_thread, pick_device
from numprobe.kernels.erasure import Eraser, leace, random_eraser
from numprobe.numbers import generator
from numprobe.probes import Dataset, Questions
from numprobe.probes.prompt import Prompt
from numprobe.probes.replies import with_places

CONCEPTS = ("value", "logarithm", "digits")
PENALTY = 1.0
"""Of the regression that looks for the value, as a share of a dimension's variance."""
DRAWS = 3
"""Random subspaces beside each erasure."""


def concept(name: str, values: np.ndarray) -> np.ndarray:
    """(values, k): what is to be erased.

    >>> concept("digits", np.array([7.0, 75.0])).shape
    (2, 20)
    """
    sizes = np.abs(values)
    if name == CONCEPTS[0]:
        return values[:, None]
    if name == CONCEPTS[1]:
        return np.asarray((np.sign(values) * np.log2(1 + sizes))[:, None])
    places = len(str(int(sizes.max())))
    digits = sizes.astype(np.int64)[:, None] // 10 ** np.arange(places) % 10
    return np.asarray(np.eye(10)[digits].reshape(len(values), -1))


@dataclass(frozen=True)
class Erased:
    """What one erasure does to the test items of a shuffle."""

    concept: str
    rank: int
    correlation: float
    """The largest correlation of an erased training state with the concept."""
    determination: float
    """R² of a linear probe of the value, learned from erased training states, on erased test states."""
    right: np.ndarray
    """(items,): whether the answer is right after the erasure."""
    right_random: np.ndarray
    """(items,): how often it is right after erasing a random subspace of the same rank, by changes of that length."""
    moved: float
    """The share of answers that the erasure changes."""
    moved_random: float


@dataclass(frozen=True)
class Erasures:
    numbers: np.ndarray
    """(items, arity)"""
    right: np.ndarray
    """(items,): whether the answer is right when nothing is erased."""
    determination: float
    """R² of a linear probe of the value on test states when nothing is erased."""
    each: list[Erased]


def erasures(cell: Cell, layer: int, train: int = 200, device: str = "auto") -> Erasures:
    """Erase value, logarithm and digits after a layer at every piece of an item's numbers, for shuffle 0."""
    prompt = cell.parts.probe
    if not isinstance(prompt, Prompt):
        raise NumprobeError(f"what a model says is asked with probe 'prompt', not '{cell.probe}'")
    task = cell.parts.task
    with one_thread():
        laboratory = Laboratory(cell, pick_device(device))
        speaker: Any = prompt.speaker(laboratory.embedder)
        if not hasattr(speaker, "changed"):
            raise NumprobeError(f"{cell.embedder} does not let its states be changed: name a model on this machine")
        last = speaker.model.config.num_hidden_layers - 1  # the states after the last layer are also normalised
        if not 0 <= layer <= last:
            raise NumprobeError(f"{cell.embedder} has layers 0 to {last} that can be changed, and no layer {layer}")
        word, dataset = laboratory.selection.word, Dataset(0)
        template, examples = prompt.phrasings(task)[0], prompt.examples(word, dataset)
        test = word("test", dataset)
        learned = word("train", dataset).some(train, generator(0, "erasing"))

        def located(part: Questions) -> list[tuple[list[int], list[list[int]]]]:
            dialogues = prompt.dialogues(task, template, part, examples)
            spans = [with_places(template, part.words(at))[1] for at in range(len(part))]
            return [speaker.located(one, own) for one, own in zip(dialogues, spans, strict=True)]

        def values(part: Questions) -> np.ndarray:
            return np.array([[cell.parts.form.read(text) for text in part.words(at)] for at in range(len(part))])

        def states(found: list[tuple[list[int], list[list[int]]]], own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """The states of all pieces of all numbers, and the value of each piece's number."""
            rows, truths = [], []
            for at, layers in States(speaker.model.base_model).of([ids for ids, _ in found]):
                for value, places in zip(own[at].tolist(), found[at][1], strict=True):
                    rows.append(layers[layer, places].double().numpy())
                    truths += [value] * len(places)
            return np.concatenate(rows), np.array(truths)

        asked, numbers = located(test), values(test)
        fitted, held_out = states(located(learned), values(learned)), states(asked, numbers)
        prompts, places = [ids for ids, _ in asked], [[place for one in own for place in one] for _, own in asked]

        def said(change: Any) -> list[str]:
            replies: list[str] = speaker.changed(prompts, places, layer, change)
            return replies

        before = said(lambda given: given)
        each = []
        for name in CONCEPTS:
            eraser = leace(fitted[0], concept(name, fitted[1]))
            controls = [random_eraser(fitted[0], eraser, generator(draw, "erasing", name)) for draw in range(DRAWS)]
            after, random = said(eraser), [said(control) for control in controls]
            each.append(
                Erased(
                    concept=name,
                    rank=eraser.rank,
                    correlation=_correlation(_applied(eraser, fitted[0]), concept(name, fitted[1])),
                    determination=determination(
                        _applied(eraser, fitted[0]), fitted[1], _applied(eraser, held_out[0]), held_out[1]
                    ),
                    right=prompt.right(task, test, after),
                    right_random=np.mean([prompt.right(task, test, replies) for replies in random], axis=0),
                    moved=float(np.mean([one != other for one, other in zip(before, after, strict=True)])),
                    moved_random=float(
                        np.mean([[one != other for one, other in zip(before, own, strict=True)] for own in random])
                    ),
                )
            )
        return Erasures(numbers, prompt.right(task, test, before), determination(*fitted, *held_out), each)


def _applied(eraser: Eraser, states: np.ndarray) -> np.ndarray:
    return np.asarray(eraser(torch.from_numpy(states)).numpy())


def _correlation(states: np.ndarray, wanted: np.ndarray) -> float:
    """The largest correlation of any dimension with any column; dimensions that are empty count as 0."""
    states, wanted = states - states.mean(axis=0), wanted - wanted.mean(axis=0)
    lengths = np.linalg.norm(states, axis=0)[:, None] * np.linalg.norm(wanted, axis=0)
    floor = 1e-12 * lengths.max()
    return float(np.abs((states.T @ wanted) / np.maximum(lengths, floor)).max())


def determination(learn: np.ndarray, wanted: np.ndarray, test: np.ndarray, truths: np.ndarray) -> float:
    """R² on test states of a ridge regression learned from others, every dimension scaled alike."""
    centre, scale, mean = learn.mean(axis=0), learn.std(axis=0), wanted.mean()
    scale = np.where(scale > 0, scale, 1)
    rows, asked = (learn - centre) / scale, (test - centre) / scale
    products = rows.T @ rows + PENALTY * len(rows) * np.eye(rows.shape[1])
    weights = np.linalg.solve(products, rows.T @ (wanted - mean))
    missed = np.square(asked @ weights + mean - truths).sum()
    return float(1 - missed / np.square(truths - truths.mean()).sum())
