"""Run one cell: numbers to vectors, vectors to items, items to trained probes, answers to scores."""

import logging
import os
import platform
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import is_dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from numprobe.embedders import coverage, cut, encoder, is_learned, pinned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread, pick_device
from numprobe.metrics import METRICS
from numprobe.numbers import generator, write
from numprobe.probes import Dataset, Prepared
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import FixedInputs, Inputs, LearnedInputs, in_order, scaled
from numprobe.tasks import Answer

BANK_LAYERS = 8
"""Layers whose probes train as one bank."""

PACKAGES = ("numprobe", "torch", "numpy", "scipy", "num2words")
READERS = ("transformers", "tokenizers", "sentence-transformers", "safetensors", "gguf", "h5py")
"""Packages that the vectors of pretrained embedders depend on."""

DISTINCT = 0.9
"""A warning says so where fewer than this share of the vectors differ."""

LONGER = 100.0
"""A warning says so where a probe takes vectors as they are, and some are this many times longer than most."""

KEPT_ANSWERS = 5_000
"""A result keeps the answers to at most this many test items per shuffle."""

logger = logging.getLogger(__name__)

# Large pages save a tenth of the time where Linux leaves them to programs. PyTorch looks when it first allocates.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")


def run_cell(cell: Cell, device: str = "auto") -> Result:
    """Run a cell."""
    start, cpu_start = time.perf_counter(), time.process_time()
    parts = cell.parts
    with one_thread():
        place = pick_device(device)
        laboratory = Laboratory(cell, torch.device("cpu") if parts.probe.needs_cpu else place)
        trained = [parts.probe.fit(parts.task.answer, laboratory.prepare, datasets) for datasets in laboratory.banks()]
    choices = [choice for answers in trained for choice in answers.choices]
    answered = [row for answers in trained for row in zip(answers.given, answers.truths, answers.guesses, strict=True)]
    scores = [parts.metric.score(*row) for row in answered]
    reported = _reported(laboratory, choices)
    pieces = cut(laboratory.embedder, laboratory.texts, cell.embedder) if parts.task.arity == 1 else None
    return Result(
        cell,
        metric=parts.task.metric,
        scores=[scores[at] for at in reported],
        coverage={"covered": len(laboratory.texts), "asked": len(Selection(cell).values)},
        choices=choices,
        made={
            "seconds": round(time.perf_counter() - start, 2),
            "cpu_seconds": round(time.process_time() - cpu_start, 2),
            "device": str(laboratory.device),
            "hardware": _hardware(),
            "revision": pinned(parts.embedder) or "",
            "start_token": getattr(laboratory.embedder, "start_token", ""),
            "python": platform.python_version(),
            **_versions(cell),
        },
        predictions=_kept([answered[at][0] for at in reported]),
        missing=list(laboratory.selection.missing),
        pieces=[len(own) for own in pieces or ()],
        layers=[scores[first : first + cell.seeds] for first in range(0, len(scores), cell.seeds)]
        if laboratory.layers > 1
        else [],
        more={
            name: [metric.score(*answered[at]) for at in reported]
            for name in METRICS
            if name != parts.task.metric and (metric := METRICS.build(name)).answer is parts.task.answer
        },
    )


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


def _versions(cell: Cell) -> dict[str, str]:
    """The versions of the packages that a result depends on."""
    parts = cell.parts
    names = [*PACKAGES, *(READERS if pinned(parts.embedder) is not None else ())]
    for part in (parts.embedder, parts.task, parts.form, getattr(parts.probe, "wrapped", parts.probe)):
        package = type(part).__module__.partition(".")[0]
        if package not in ("numprobe", "builtins", "__main__"):  # a plug-in's, or a user's own
            names += packages_distributions().get(package, ())
    found = {}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@cache
def _hardware() -> str:
    """The processor's name, its cores, and the instructions that PyTorch uses."""
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:  # not Linux
        named = None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {torch.backends.cpu.get_cpu_capability()}"


class Laboratory:
    def __init__(self, cell: Cell, device: torch.device) -> None:
        self.cell, self.device = cell, device
        self.embedder = _placed(encoder(cell.parts.embedder), device)
        self.selection = _select(cell, self.embedder)
        self.texts = write(self.selection.values, cell.parts.form)
        self.learned = is_learned(self.embedder)
        self.probe = cell.parts.probe
        context = getattr(self.embedder, "context", "isolated")
        self.in_list = context == "in_list" and cell.parts.task.arity > 1
        self.layers = 1
        if self.learned:
            self.reading = self.embedder.read(self.texts).to(device)
        elif not self.in_list:
            self._encode()

    def _encode(self) -> None:
        """The vectors of each layer, or of each shuffle where every shuffle draws its own."""
        self.differs = hasattr(self.embedder, "of_shuffle")
        if self.differs:
            shuffles = map(self.embedder.of_shuffle, range(self.cell.seeds))
            vectors = np.concatenate([vectors_of(own, self.cell.embedder, self.texts) for own in shuffles])
        else:
            vectors = vectors_of(self.embedder, self.cell.embedder, self.texts)
            self.layers = len(vectors)
        self.vectors = torch.from_numpy(vectors).to(self.device)
        if not getattr(self.embedder, "is_floor", False):
            _warn_of_equal_vectors(self.cell, vectors)
        if not self.probe.standardises:
            _warn_of_huge_vectors(self.cell, vectors)

    def banks(self) -> Iterator[list[Dataset]]:
        """Group the datasets that are trained together: all shuffles of some layers.

        Lists that are encoded as one sequence take too much memory for more than one shuffle at a time.
        """
        shuffles = range(self.cell.seeds)
        together = 1 if self.in_list else len(shuffles)
        for first in range(0, self.layers, BANK_LAYERS):
            layers = range(self.layers)[first : first + BANK_LAYERS]
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
            rows.append(_stacked([getattr(splits[shuffle], part) for shuffle in shuffles]).to(self.device))
            numbers.append(_stacked([items[shuffle].numbers for shuffle in shuffles]).to(self.device))
            targets.append(_stacked([items[shuffle].targets for shuffle in shuffles]))
        shift, scale = torch.zeros(len(datasets), 1), torch.ones(len(datasets), 1)
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
        return Prepared(data[0], data[1], shift.double(), scale.double())

    def _inputs(self, parts: Sequence[torch.Tensor], datasets: Sequence[Dataset]) -> Sequence[Inputs]:
        if self.learned:
            return [LearnedInputs(self.embedder, self.reading, rows) for rows in parts]
        which = [dataset.seed if self.differs else dataset.layer for dataset in datasets]
        tables = torch.tensor(which, device=self.device)[:, None]
        return self._fixed([self.vectors[tables, rows] for rows in parts])

    def _fixed(self, tables: Sequence[torch.Tensor]) -> Sequence[Inputs]:
        return scaled(tables) if self.probe.standardises else [FixedInputs(table) for table in tables]

    def _in_lists(self, rows: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """(datasets, items × arity, dimension): the numbers of each item, encoded together."""
        texts = np.array(self.texts, dtype=object)
        made = []
        for own, asked in zip(rows.cpu().numpy(), numbers.cpu().numpy(), strict=True):
            vectors = np.asarray(self.embedder.encode_in_list(texts[own][asked].tolist()), dtype=np.float32)
            made.append(torch.from_numpy(vectors).flatten(0, 1))
        return torch.stack(made).to(self.device)


def _warn_of_equal_vectors(cell: Cell, vectors: np.ndarray) -> None:
    """Say where an embedder gives many numbers one vector, so that no probe can tell them apart."""
    direction = generator(0, "distinct vectors").normal(size=vectors.shape[-1])
    seen = [len(np.unique(layer @ direction)) for layer in vectors.astype(np.float64)]
    count = vectors.shape[1]
    if max(seen) == 1 < count:
        logger.warning("%s: all %d numbers have the same vector, so a probe can only guess", cell, count)
    elif min(seen) < DISTINCT * count:
        logger.warning("%s: %d numbers have only %d different vectors (see numprobe inspect)", cell, count, min(seen))


def _warn_of_huge_vectors(cell: Cell, vectors: np.ndarray) -> None:
    """Say where a few vectors are so long that they alone decide what a probe learns."""
    lengths = [np.linalg.norm(layer.astype(np.float64) - np.median(layer, axis=0), axis=1) for layer in vectors]
    huge = max(int((own > LONGER * np.median(own)).sum()) for own in lengths)
    if 0 < huge < (1 - DISTINCT) * vectors.shape[1]:
        logger.warning(
            "%s: %d of %d numbers have a vector more than %g times longer than most, which probe '%s' takes as it is",
            cell,
            huge,
            vectors.shape[1],
            LONGER,
            cell.probe,
        )


def _placed(embedder: Any, device: torch.device) -> Any:
    """An embedder that computes on the same device as the probes, unless it says where."""
    if getattr(embedder, "device", None) != "" or not is_dataclass(embedder) or isinstance(embedder, type):
        return embedder
    return replace(embedder, device=str(device))


def _stacked(arrays: Sequence[np.ndarray]) -> torch.Tensor:
    return torch.from_numpy(np.stack(arrays))


def _select(cell: Cell, embedder: object) -> Selection:
    """The numbers that the embedder has, or all of them if it does not say."""
    whole = Selection(cell)
    texts = write(whole.values, cell.parts.form)
    has = coverage(embedder, texts, cell.embedder, cell.range)
    if has.all():
        return whole
    absent = [text for text, there in zip(texts, has.tolist(), strict=True) if not there]
    if cell.missing == "refuse":
        raise NumprobeError(
            f"{cell.embedder} has {has.sum()} of the {len(has)} numbers of {cell.range} and lacks "
            f"{', '.join(absent[:3])}{', …' if len(absent) > 3 else ''}; "
            "probe those it has with --missing restrict (missing='restrict')"
        )
    missing = whole.values[~has]
    selection = Selection(cell, tuple(missing.tolist()))
    selection.check()
    return selection
