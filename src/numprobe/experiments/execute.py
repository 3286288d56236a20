"""Running one cell: numbers to vectors, vectors to items, items to trained probes, probes to scores."""

import os
import platform
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from numprobe.embedders import cut, load_embedder, pinned
from numprobe.experiments.cell import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.kernels.device import one_thread, pick_device
from numprobe.probes.engine.fitting import Dataset, fit

BANK_LAYERS = 8
"""Layers whose probes are trained as one bank."""

PACKAGES = ("numprobe", "torch", "numpy", "scipy", "num2words")
READERS = ("transformers", "tokenizers", "sentence-transformers", "safetensors", "gguf", "h5py")
"""Packages that vectors of pretrained embedders depend on."""

# Memory in large pages, where Linux leaves that to programs: a tenth less time. PyTorch looks when it first allocates.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")


def execute(cell: Cell, embedder: Any = None, device: str = "auto") -> Result:
    """Run a cell; `embedder` is the object to probe where it is not one that has a name."""
    start = time.perf_counter()
    with one_thread():
        given = load_embedder(cell.embedder) if embedder is None else embedder
        place = pick_device(device)
        if cell.probe == "linear":  # solved in double precision, which not every accelerator has
            place = torch.device("cpu")
        laboratory = Laboratory(cell, given, place)
        metric = laboratory.task.metric
        trained = [
            fit(cell.probe, metric, cell.protocol, laboratory.prepare, datasets) for datasets in banks(laboratory)
        ]
    scores = [score for answers in trained for score in answers.scores(metric)]
    by_layer = [scores[first : first + cell.seeds] for first in range(0, len(scores), cell.seeds)]
    predictions, pieces = None, []
    if laboratory.task.name == "decoding":
        rows = np.concatenate([answers.predictions for answers in trained])[-cell.seeds :]
        predictions = [[float(f"{value:.6g}") for value in row] for row in rows.tolist()]
        pieces = [len(own) for own in cut(given, laboratory.texts, cell.embedder) or ()]
    return Result(
        cell,
        metric=metric,
        scores=by_layer[-1],
        coverage={"covered": len(laboratory.texts), "asked": len(Selection(cell).values)},
        choices=[asdict(choice) for answers in trained for choice in answers.choices],
        made={
            "seconds": round(time.perf_counter() - start, 2),
            "device": str(laboratory.device),
            "hardware": _hardware(),
            "revision": pinned(given) or "",
            "python": platform.python_version(),
            **_versions(given),
        },
        predictions=predictions,
        missing=list(laboratory.selection.missing),
        pieces=pieces,
        layers=by_layer if laboratory.layers > 1 else [],
    )


def _versions(embedder: Any) -> dict[str, str]:
    """The packages that a result depends on."""
    names = [*PACKAGES, *(READERS if pinned(embedder) is not None else ())]
    package = type(embedder).__module__.partition(".")[0]
    if package not in ("numprobe", "builtins", "__main__"):  # a plug-in, or an object that was given
        names += packages_distributions().get(package, ())
    found = {}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def banks(laboratory: Laboratory) -> Iterator[list[Dataset]]:
    """The datasets that are trained together: all shuffles of some layers.

    Lists that were encoded whole take too much memory for more than one shuffle at a time.
    """
    seeds, layers = laboratory.cell.seeds, laboratory.layers
    together = 1 if laboratory.in_list else seeds
    for first in range(0, layers, BANK_LAYERS):
        for start in range(0, seeds, together):
            shuffles = range(start, min(start + together, seeds))
            yield [Dataset(seed, layer) for layer in range(layers)[first : first + BANK_LAYERS] for seed in shuffles]


@cache
def _hardware() -> str:
    """The processor, as the system calls it, how many cores there are, and which instructions PyTorch uses."""
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:  # not Linux
        named = None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {torch.backends.cpu.get_cpu_capability()}"
