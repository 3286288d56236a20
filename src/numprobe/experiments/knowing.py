"""What a language model knows against what it says: the same items, by a linear probe of its states and in words.

The probe reads the states of each layer inside the very prompt that the model answers: at the item's numbers, or at the
end, where the answer begins; and beside it the states of the numbers on their own. It is right if its rounded answer is
exactly right, as the reply is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from numprobe.embedders.speech import Dialogue, Interview
from numprobe.errors import NumprobeError, at_least
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.kernels.device import one_thread, pick_device
from numprobe.numbers import generator
from numprobe.probes import Dataset, Questions
from numprobe.probes.prompt import Prompt
from numprobe.probes.replies import with_places
from numprobe.tasks import Answer

PENALTIES = tuple(10.0**power for power in range(-7, 4))
"""The penalties that are tried, as shares of the states' mean variance."""
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
    phrasings: list[str]
    counted: dict[str, int]


def known_and_said(cell: Cell, train: int = 400, development: int = 100, device: str = "auto") -> Known:
    """Ask the test items of a cell with probe `prompt` in words, and read the answers off the model's states."""
    prompt = cell.parts.probe
    if not isinstance(prompt, Prompt):
        raise NumprobeError(f"what a model says is asked with probe 'prompt', not '{cell.probe}'")
    at_least(2, train=train, development=development)
    with one_thread():
        laboratory = Laboratory(cell, pick_device(device))
        speaker: Any = prompt.speaker(laboratory.embedder)
        if not hasattr(speaker, "states"):
            raise NumprobeError(f"{cell.embedder} does not show its states: name a model on this machine")
        reader = _Reader(laboratory, prompt, speaker, Interview(speaker), train, development)
        shuffles = [reader.shuffle(Dataset(seed)) for seed in range(cell.seeds)]
        return Known(
            numbers=np.concatenate([one["numbers"] for one in shuffles]),
            says=np.concatenate([one["says"] for one in shuffles]),
            unreadable=float(np.mean([one["unreadable"] for one in shuffles])),
            knows={name: np.concatenate([one["knows"][name] for one in shuffles], axis=1) for name in READINGS},
            best={
                name: np.concatenate([one["knows"][name][one["layers"][name]] for one in shuffles]) for name in READINGS
            },
            layers={name: [one["layers"][name] for one in shuffles] for name in READINGS},
            phrasings=[one["phrasing"] for one in shuffles],
            counted=reader.interview.counted,
        )


@dataclass(frozen=True)
class _Reader:
    laboratory: Laboratory
    prompt: Prompt
    speaker: Any
    interview: Interview
    train: int
    development: int

    def shuffle(self, dataset: Dataset) -> dict[str, Any]:
        task, word = self.laboratory.cell.parts.task, self.laboratory.selection.word
        test = word("test", dataset)
        _, choice = self.prompt.choose(task, self.interview, word, dataset)
        template, examples = choice["phrasing"], self.prompt.examples(word, dataset)
        replies = self.prompt.replies(task, self.interview, template, test, examples)
        parts = [
            word("fit", dataset).some(self.train, generator(dataset.seed, "knowing", "fit")),
            word("development", dataset).some(self.development, generator(dataset.seed, "knowing", "development")),
            test,
        ]
        values = [self._values(part) for part in parts]
        knows, layers = {}, {}
        for name, tables in self._tables(template, parts, examples).items():
            knows[name], layers[name] = self._right(tables, parts, values, name == "end")
        return {
            "numbers": values[2],
            "says": self.prompt.right(task, test, replies),
            "unreadable": self.prompt.unreadable(task, test, replies),
            "knows": knows,
            "layers": layers,
            "phrasing": template,
        }

    def _values(self, part: Questions) -> np.ndarray:
        """(items, arity): the numbers of each item."""
        read = self.laboratory.cell.parts.form.read
        return np.array([[read(text) for text in part.words(at)] for at in range(len(part))])

    def _tables(self, template: str, parts: Sequence[Questions], examples: Questions) -> dict[str, list[np.ndarray]]:
        """Reading -> (layers, items, numbers, dimension) states of each part."""
        task = self.laboratory.cell.parts.task
        states = []
        for part in parts:
            dialogues: list[Dialogue] = self.prompt.dialogues(task, template, part, examples)
            spans = [with_places(template, part.words(at))[1] for at in range(len(part))]
            states.append(self.speaker.states(dialogues, spans))
        every = self.laboratory.numbers
        table = self.speaker.states([Dialogue(text) for text in every], [[(0, len(text))] for text in every])[:, :, 0]
        row = {text: at for at, text in enumerate(every)}
        alone = [
            table[:, np.array([[row[text] for text in part.words(at)] for at in range(len(part))])] for part in parts
        ]
        return {
            "numbers": [found[:, :, :-1] for found in states],
            "end": [found[:, :, -1:] for found in states],
            "isolated": alone,
        }

    def _right(
        self, tables: Sequence[np.ndarray], parts: Sequence[Questions], values: Sequence[np.ndarray], at_end: bool
    ) -> tuple[np.ndarray, int]:
        """(layers, items): which test items each layer's probe gets right; and which layer is best on development."""
        chooses = self.laboratory.cell.parts.task.answer is Answer.CHOICE
        each = chooses and not at_end  # one number at a time, and then the largest answer
        right, ranks = [], []
        for layer in range(len(tables[0])):
            given = [_rows(own[layer], each) for own in tables]
            wanted = [
                own.ravel() if each else _chosen(own, part.targets) if chooses else part.targets.astype(float)
                for own, part in zip(values, parts, strict=True)
            ]
            answers, error = ridge(given[0], wanted[0], given[1], wanted[1], given[1:])
            hits = []
            for own, part, answered in zip(values[1:], parts[1:], answers, strict=True):
                if each:
                    hits.append(answered.reshape(own.shape).argmax(axis=1) == part.targets)
                elif chooses:
                    hits.append(np.abs(own - answered[:, None]).argmin(axis=1) == part.targets)
                else:
                    hits.append(np.rint(answered) == part.targets)
            ranks.append((-hits[0].mean(), error))  # the most right answers, and then the least error
            right.append(hits[1])
        return np.stack(right), min(range(len(ranks)), key=lambda layer: ranks[layer])


def _rows(states: np.ndarray, each: bool) -> np.ndarray:
    """Features: the states of each number, or of all numbers of an item, one after another."""
    return states.reshape(-1, states.shape[-1]) if each else states.reshape(len(states), -1)


def _chosen(values: np.ndarray, targets: np.ndarray) -> np.ndarray:
    return np.asarray(np.take_along_axis(values, targets[:, None].astype(int), axis=1)[:, 0])


def ridge(
    learn: np.ndarray, wanted: np.ndarray, judge: np.ndarray, truths: np.ndarray, asked: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], float]:
    """Answers by linear regression whose penalty has the least error on what it is judged by, and that error.

    >>> rows = np.random.default_rng(0).normal(size=(30, 3))
    >>> answers, error = ridge(rows[:20], rows[:20] @ [1, 2, 3], rows[20:25], rows[20:25] @ [1, 2, 3], [rows[25:]])
    >>> bool(np.allclose(answers[0], rows[25:] @ [1, 2, 3], atol=1e-4))
    True
    """
    centre, scale = learn.mean(axis=0, dtype=np.float64), learn.std(axis=0, dtype=np.float64)
    scale = np.where(scale > 0, scale, 1)
    rows, judged, *others = (torch.from_numpy((given - centre) / scale) for given in (learn, judge, *asked))
    mean = float(wanted.mean())
    targets = torch.from_numpy(np.asarray(wanted, dtype=np.float64) - mean)
    is_wide = rows.shape[0] < rows.shape[1]  # the smaller of two systems with the same solution
    products, axes = torch.linalg.eigh(rows @ rows.T if is_wide else rows.T @ rows)
    products = products.clamp(min=0)
    turned = axes.T @ (targets if is_wide else rows.T @ targets)
    unit = products.sum() / min(rows.shape)
    best: tuple[float, torch.Tensor] | None = None
    for penalty in PENALTIES:
        solved = axes @ (turned / (products + penalty * unit))
        weights = rows.T @ solved if is_wide else solved
        error = float((judged @ weights + mean - torch.from_numpy(np.asarray(truths, np.float64))).square().mean())
        if best is None or error < best[0]:
            best = error, weights
    assert best is not None
    return [(given @ best[1] + mean).numpy() for given in others], best[0]
