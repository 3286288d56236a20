"""What a result was made with: packages and processor."""

import os
import platform
import re
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import torch

from numprobe.embedders import pinned
from numprobe.experiments.cell import Cell, distributions

PACKAGES = ("numprobe", "torch", "numpy", "scipy", "num2words")
READERS = ("transformers", "tokenizers", "sentence-transformers", "safetensors", "gguf", "h5py")
"""Packages that the vectors of pretrained embedders depend on."""


def versions(cell: Cell) -> dict[str, str]:
    """The versions of the packages that a result depends on."""
    parts = cell.parts
    names = [*PACKAGES, *(READERS if pinned(parts.embedder) is not None else ())]
    for part in (parts.embedder, parts.task, parts.form, getattr(parts.probe, "wrapped", parts.probe)):
        package = type(part).__module__.partition(".")[0]
        if package not in ("numprobe", "builtins", "__main__"):  # a plug-in's, or a user's own
            names += distributions().get(package, ())
    found = {}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@cache
def hardware() -> str:
    """The processor's name, its cores, and the instructions that PyTorch uses."""
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:  # not Linux
        named = None
    processor = named[1] if named else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {torch.backends.cpu.get_cpu_capability()}"
