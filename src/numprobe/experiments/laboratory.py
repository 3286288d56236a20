"""Run one cell: numbers to vectors, vectors to items, items to trained probes, answers to scores."""

import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np
import torch

from numprobe.embedders import coverage, cut, encoder, is_learned, pinned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.doubts import warn_of_equal_vectors, warn_of_huge_vectors
from numprobe.experiments.provenance import hardware, versions
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection, mentioned
from numprobe.kernels.device import one_thread, pick_device
from numprobe.metrics import METRICS
from numprobe.numbers import Facts, Mention, Split, Texts, write_mentions
from numprobe.probes import Answers, Dataset, Prepared
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs, Inputs, LearnedInputs, Rows, Table, in_order, scaled
from numprobe.registry import text_of
from numprobe.tasks import Answer, Items

BANK_LAYERS = 8
"""Layers whose probes train as one bank."""

BANK_BYTES = 24 << 20
"""The most that the layers of a bank may take, if they are several: those of large models train one after another."""

MANY = 200_000
"""From so many numbers on, shuffles train one after another."""

KEPT_ANSWERS = 5_000
"""A result keeps the answers to at most this many test items per shuffle."""

# Large pages save a tenth of the time where Linux leaves them to programs. PyTorch looks when it first allocates.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")


def run_cell(cell: Cell, device: str = "auto") -> Result:
    """Run a cell."""
    start, cpu_start = time.perf_counter(), time.process_time()
    parts = cell.parts
    with one_thread():
        laboratory = Laboratory(cell, pick_device(device))
        trained = laboratory.answers()
    choices = [choice for answers in trained for choice in answers.choices]
    answered = [row for answers in trained for row in zip(answers.given, answers.truths, answers.guesses, strict=True)]
    scores = [parts.metric.score(*row) for row in answered]
    others = {name: metric for name in METRICS if (metric := METRICS.build(name)).answer is parts.task.answer}
    others.pop(parts.task.metric)
    reported = _reported(laboratory, choices)
    pieces = cut(laboratory.embedder, laboratory.numbers, cell.embedder) if parts.task.arity == 1 else None
    return Result(
        cell,
        metric=parts.task.metric,
        scores=[scores[at] for at in reported],
        coverage={"covered": len(laboratory.numbers), "asked": len(Selection(cell).values)},
        choices=choices,
        made={
            "seconds": round(time.perf_counter() - start, 2),
            "cpu_seconds": round(time.process_time() - cpu_start, 2),
            "device": str(laboratory.device),
            "hardware": hardware(),
            "revision": pinned(parts.embedder) or "",
            "start_token": "" if parts.probe.asks_in_words else getattr(laboratory.embedder, "start_token", ""),
            **({"requests": own.requests} if hasattr(own := laboratory.embedder, "requests") else {}),
            **trained[0].made,
            "python": platform.python_version(),
            **versions(cell),
        },
        predictions=_kept([answered[at][0] for at in reported]),
        missing=list(laboratory.selection.missing),
        pieces=[len(own) for own in pieces or ()],
        layers=_by_layer(scores, cell.seeds) if laboratory.layers > 1 else [],
        more={name: [metric.score(*answered[at]) for at in reported] for name, metric in others.items()},
        more_by_layer={
            name: _by_layer([float(f"{metric.score(*row):.6g}") for row in answered], cell.seeds)
            for name, metric in others.items()
            if laboratory.layers > 1
        },
    )


def _by_layer(scores: Sequence[float], seeds: int) -> list[list[float]]:
    """The scores of each layer's shuffles."""
    return [list(scores[first : first + seeds]) for first in range(0, len(scores), seeds)]


def _reported(laboratory: "Laboratory", choices: Sequence[dict[str, Any]]) -> list[int]:
    """Which dataset to report for each shuffle: the last layer's, or that of the least error on development numbers."""
    seeds, layers = laboratory.cell.seeds, laboratory.layers
    if getattr(laboratory.embedder, "layer", "") != "best":
        return list(range((layers - 1) * seeds, layers * seeds))
    if not all("error" in choice for choice in choices):
        raise NumprobeError(
            f"probe '{laboratory.cell.probe}' uses no development numbers, so it can't choose a layer: use layer=all"
        )
    return [min(range(seed, layers * seeds, seeds), key=lambda at: choices[at]["error"]) for seed in range(seeds)]


def _kept(answers: Sequence[np.ndarray]) -> list[list[float]] | None:
    """The answers to each shuffle's test items, with six digits, where they are few enough to keep."""
    if len(answers[0]) > KEPT_ANSWERS:
        return None
    if np.issubdtype(answers[0].dtype, np.integer):
        return [row.tolist() for row in answers]
    return [[float(f"{value:.6g}") for value in row.tolist()] for row in answers]


class Laboratory:
    def __init__(self, cell: Cell, device: torch.device) -> None:
        """The embedder computes on the device, and so does the probe, unless it needs the processor."""
        self.cell, self.probe = cell, cell.parts.probe
        self.device = torch.device("cpu") if self.probe.needs_cpu else device
        self.embedder, self.name = _placed(encoder(cell.parts.embedder), device), cell.embedder
        if cell.parts.task.has_query and hasattr(self.embedder, "for_texts"):
            self.embedder = self.embedder.for_texts
            self.name = text_of(self.embedder, cell.embedder)
        self.selection = _select(cell, self.embedder)
        parts = mentioned(cell, self.selection.values)
        self.numbers, self.texts = parts[0].numbers, sum(parts[1:], parts[0])
        self.learned = is_learned(self.embedder)
        context = getattr(self.embedder, "context", "isolated")
        self.in_list = context == "in_list" and cell.parts.task.arity > 1
        self.layers = 1
        if self.learned:
            self.reading = self.embedder.read(self.texts.sentences).to(self.device)
        elif not (self.in_list or self.probe.asks_in_words):
            self.differs = hasattr(self.embedder, "of_shuffle")
            self.rows: dict[Mention, int] = {}
            self._encode_asked() if cell.parts.task.writes_sentences else self._encode(parts)

    def _encode(self, parts: Sequence[Texts]) -> None:
        """The vectors of each layer, or of each shuffle where every shuffle draws its own.

        Each part is encoded on its own, so that other cells find it in the cache, unless texts depend on each other.
        """
        apart = getattr(self.embedder, "deals_alike", not getattr(self.embedder, "at_once", False))
        together = parts if apart else [self.texts]
        vectors = _joined([self._vectors(part) for part in together], axis=1)
        self.layers = 1 if self.differs else len(vectors)
        self.vectors = torch.from_numpy(vectors)  # of a file in the cache, and read from there layer by layer
        if not getattr(self.embedder, "is_floor", False):
            warn_of_equal_vectors(self.cell, vectors[:, : len(self.numbers)])
        if not self.probe.standardises:
            warn_of_huge_vectors(self.cell, vectors)

    def _encode_asked(self) -> None:
        """The vectors of the first test items; or of all mentions, where those of each depend on all."""
        parts = ("train", "test", "fit", "development")
        asked = [(0, "test")]
        if getattr(self.embedder, "at_once", False):
            asked = [(seed, part) for seed in range(self.cell.seeds) for part in parts]
        self._look_up([mention for seed, part in asked for mention in self.selection.items(seed, part).mentions])
        self.layers = 1 if self.differs else len(self.vectors)

    def _vectors(self, texts: Texts) -> np.ndarray:
        """(layers or shuffles, texts, dimension)"""
        if hasattr(self.embedder, "encode_values"):
            return np.asarray(self.embedder.encode_values(texts.values))[None]
        alone = getattr(self.embedder, "of_numbers", False)
        read, spans = (texts.numbers, ()) if alone else (texts.sentences, texts.spans)
        shuffles = map(self.embedder.of_shuffle, range(self.cell.seeds)) if self.differs else [self.embedder]
        return _joined([vectors_of(own, self.name, read, spans) for own in shuffles], axis=0)

    def _look_up(self, mentions: Sequence[Mention]) -> np.ndarray:
        """The rows of a task's own mentions; new ones are encoded first."""
        new = [mention for mention in dict.fromkeys(mentions) if mention not in self.rows]
        if new:
            vectors = torch.from_numpy(self._vectors(write_mentions(new, self.cell.parts.form)))
            self.vectors = torch.cat((self.vectors, vectors), dim=1) if self.rows else vectors
            self.rows |= {mention: len(self.rows) + at for at, mention in enumerate(new)}
        return np.array([self.rows[mention] for mention in mentions])

    def _rows(self, part: str, split: Split, items: Items) -> np.ndarray:
        """The rows of the vectors that items point to."""
        if items.mentions:
            return self._look_up(items.mentions)
        rows: np.ndarray = getattr(split, part)
        return rows + len(self.numbers) if part == "test" and self.cell.transfers else rows

    def answers(self) -> list[Answers]:
        """What the probe answers to the test items, bank by bank."""
        task, probe = self.cell.parts.task, self.probe
        if probe.asks_in_words:
            shuffles = [Dataset(seed) for seed in range(self.cell.seeds)]
            return [probe.ask(task, probe.speaker(self.embedder), self.selection.word, shuffles)]
        return [probe.fit(task.answer, self.prepare, datasets) for datasets in self.banks()]

    def banks(self) -> Iterator[list[Dataset]]:
        """Group the datasets that are trained together: all shuffles of some layers.

        Lists that are encoded as one sequence take too much memory for more than one shuffle at a time, and so do many
        numbers.
        """
        shuffles = range(self.cell.seeds)
        uneven = isinstance(self.cell.parts.numbers, Facts)  # groups have different sizes
        together = 1 if self.in_list or uneven or len(self.numbers) > MANY else len(shuffles)
        size = 0 if self.learned or self.in_list else self.vectors[0].nbytes
        at_once = max(1, min(BANK_LAYERS, BANK_BYTES // max(1, size)))
        for first in range(0, self.layers, at_once):
            layers = range(self.layers)[first : first + at_once]
            for start in shuffles[::together]:
                yield [Dataset(seed, layer) for layer in layers for seed in shuffles[start : start + together]]

    def prepare(self, learn: str, answer: str, datasets: Sequence[Dataset]) -> Prepared:
        """Lay out two parts of each dataset's split, standardised by the part to learn from."""
        shuffles = [(dataset.seed, dataset.fold) for dataset in datasets]
        splits = {(seed, fold): self.selection.split(seed, fold) for seed, fold in shuffles}
        rows, numbers, targets = [], [], []
        for part in (learn, answer):
            items = {
                (seed, fold): self.selection.items(seed, part, split, fold) for (seed, fold), split in splits.items()
            }
            own_rows = {shuffle: self._rows(part, splits[shuffle], items[shuffle]) for shuffle in splits}
            rows.append(_stacked([own_rows[shuffle] for shuffle in shuffles]).to(self.device))
            numbers.append(_stacked([items[shuffle].numbers for shuffle in shuffles]).to(self.device))
            targets.append(_stacked([items[shuffle].targets for shuffle in shuffles]))
        truths, shift, scale = targets[1].clone(), torch.zeros(len(datasets), 1), torch.ones(len(datasets), 1)
        if self.probe.standardises and self.cell.parts.task.answer is Answer.VALUE:
            shift, scale = targets[0].mean(1, keepdim=True), targets[0].std(1, keepdim=True)
            targets = [values.sub_(shift).div_(scale).float() for values in targets]
        if self.in_list:
            inputs = self._fixed([self._in_lists(*part) for part in zip(rows, numbers, strict=True)])
            numbers = [in_order(given) for given in numbers]
        else:
            inputs = self._inputs(rows, datasets)
        data = [
            Data(given, own, values.to(self.device))
            for given, own, values in zip(inputs, numbers, targets, strict=True)
        ]
        every = torch.from_numpy(np.unique(self.selection.values)).double()
        return Prepared(data[0], data[1], truths, shift.double(), scale.double(), every)

    def _inputs(self, parts: Sequence[torch.Tensor], datasets: Sequence[Dataset]) -> Sequence[Inputs]:
        if self.learned:
            return [LearnedInputs(self.embedder, self.reading, rows) for rows in parts]
        which = [dataset.seed if self.differs else dataset.layer for dataset in datasets]
        return self._fixed([Rows(self.vectors, which, rows) for rows in parts])

    def _fixed(self, tables: Sequence[Table]) -> Sequence[Inputs]:
        return scaled(tables) if self.probe.standardises else [FixedInputs(table) for table in tables]

    def _in_lists(self, rows: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """(datasets, items × arity, dimension): the numbers of each item, encoded together."""
        texts = np.array(self.texts.numbers, dtype=object)
        made = []
        for own, asked in zip(rows.cpu().numpy(), numbers.cpu().numpy(), strict=True):
            vectors = np.asarray(self.embedder.encode_in_list(texts[own][asked].tolist()), dtype=np.float32)
            made.append(torch.from_numpy(vectors).flatten(0, 1))
        return torch.stack(made).to(self.device)


def _joined(arrays: Sequence[np.ndarray], axis: int) -> np.ndarray:
    """Arrays one after another; a single one stays where it is, such as in a file."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays, axis=axis)


def _placed(embedder: Any, device: torch.device) -> Any:
    """An embedder that computes on a device, unless it says where."""
    if getattr(embedder, "device", None) != "" or not is_dataclass(embedder) or isinstance(embedder, type):
        return embedder
    return replace(embedder, device=str(device))


def _stacked(arrays: Sequence[np.ndarray]) -> torch.Tensor:
    """Arrays one above the other. A shorter one begins again at its end, as only parts to choose settings on may be."""
    longest = max(map(len, arrays))
    same = [own if len(own) == longest else np.resize(own, (longest, *own.shape[1:])) for own in arrays]
    return torch.from_numpy(np.stack(same))


def _select(cell: Cell, embedder: object) -> Selection:
    """The numbers that the embedder has, or all of them if it does not say."""
    whole = Selection(cell)
    texts = mentioned(cell, whole.values)
    has = np.all([coverage(embedder, part.sentences, cell.embedder, cell.range) for part in texts], axis=0)
    if has.all():
        return whole
    absent = [text for text, there in zip(texts[0].numbers, has.tolist(), strict=True) if not there]
    if cell.missing == "refuse" or isinstance(cell.parts.numbers, Facts):
        raise NumprobeError(
            f"{cell.embedder} has {has.sum()} of the {len(has)} numbers of {cell.range} and lacks "
            f"{', '.join(absent[:3])}{', …' if len(absent) > 3 else ''}; "
            "probe those it has with --missing restrict (missing='restrict')"
        )
    missing = whole.values[~has]
    selection = Selection(cell, tuple(missing.tolist()))
    selection.check()
    return selection
