"""Running one cell: numbers to vectors, vectors to items, items to trained probes, probes to scores."""

import os
import platform
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import numpy as np
import torch

from numprobe.embedders import cut, pinned
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread, pick_device
from numprobe.probes import Dataset

BANK_LAYERS = 8
"""Layers whose probes train as one bank."""

PACKAGES = ("numprobe", "torch", "numpy", "scipy", "num2words")
READERS = ("transformers", "tokenizers", "sentence-transformers", "safetensors", "gguf", "h5py")
"""Packages that the vectors of pretrained embedders depend on."""

KEPT_ANSWERS = 5_000
"""A result keeps the answers to at most this many test items per shuffle."""

# Large pages save a tenth of the time where Linux leaves them to programs. PyTorch looks when it first allocates.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")


def execute(cell: Cell, device: str = "auto") -> Result:
    """Run a cell."""
    start = time.perf_counter()
    parts = cell.parts
    with one_thread():
        place = pick_device(device)
        laboratory = Laboratory(cell, torch.device("cpu") if parts.probe.needs_cpu else place)
        trained = [parts.probe.fit(parts.task.answer, laboratory.prepare, datasets) for datasets in banks(laboratory)]
    answered = [
        (given, truths) for answers in trained for given, truths in zip(answers.given, answers.truths, strict=True)
    ]
    scores = [parts.metric.score(given, truths) for given, truths in answered]
    by_layer = [scores[first : first + cell.seeds] for first in range(0, len(scores), cell.seeds)]
    pieces = cut(laboratory.embedder, laboratory.texts, cell.embedder) if parts.task.arity == 1 else None
    return Result(
        cell,
        metric=parts.task.metric,
        scores=by_layer[-1],
        coverage={"covered": len(laboratory.texts), "asked": len(Selection(cell).values)},
        choices=[choice for answers in trained for choice in answers.choices],
        made={
            "seconds": round(time.perf_counter() - start, 2),
            "device": str(laboratory.device),
            "hardware": _hardware(),
            "revision": pinned(parts.embedder) or "",
            "python": platform.python_version(),
            **_versions(cell),
        },
        predictions=_kept([given for given, _ in answered[-cell.seeds :]]),
        missing=list(laboratory.selection.missing),
        pieces=[len(own) for own in pieces or ()],
        layers=by_layer if laboratory.layers > 1 else [],
    )


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


def banks(laboratory: Laboratory) -> Iterator[list[Dataset]]:
    """Group the datasets that are trained together: all shuffles of some layers.

    Lists that are encoded as one sequence take too much memory for more than one shuffle at a time.
    """
    seeds, layers = laboratory.cell.seeds, laboratory.layers
    together = 1 if laboratory.in_list else seeds
    for first in range(0, layers, BANK_LAYERS):
        for start in range(0, seeds, together):
            shuffles = range(start, min(start + together, seeds))
            yield [Dataset(seed, layer) for layer in range(layers)[first : first + BANK_LAYERS] for seed in shuffles]


@cache
def _hardware() -> str:
    """The processor's name, its cores, and the instructions that PyTorch uses."""
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:  # not Linux
        named = None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {torch.backends.cpu.get_cpu_capability()}"
