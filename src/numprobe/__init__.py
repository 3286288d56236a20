"""How well does an embedding or a language model know numbers?

Nothing heavy is imported until it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing.TYPE_CHECKING is at run time; importing typing costs a tenth of `numprobe --help`
if TYPE_CHECKING:
    from typing import Any

    from numprobe.api import card, geometry, probe
    from numprobe.embedders import load_embedder
    from numprobe.errors import NumprobeError
    from numprobe.experiments import Cell, Result, Store, load_suite, run
    from numprobe.reports import Results

_HOMES = {
    "probe": "numprobe.api",
    "card": "numprobe.api",
    "geometry": "numprobe.api",
    "load_embedder": "numprobe.embedders",
    "NumprobeError": "numprobe.errors",
    "Cell": "numprobe.experiments",
    "Result": "numprobe.experiments",
    "Store": "numprobe.experiments",
    "load_suite": "numprobe.experiments",
    "run": "numprobe.experiments",
    "Results": "numprobe.reports",
}

__all__ = [
    "Cell",
    "NumprobeError",
    "Result",
    "Results",
    "Store",
    "card",
    "geometry",
    "load_embedder",
    "load_suite",
    "probe",
    "run",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("numprobe")
    if name not in _HOMES:
        raise AttributeError(f"module 'numprobe' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
