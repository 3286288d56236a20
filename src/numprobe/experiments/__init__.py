"""Cells and suites of cells, running them, and the store of results."""

from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.experiments.runner import cost, run
from numprobe.experiments.store import Store
from numprobe.experiments.suites import (
    PAGE_SUITES,
    PAPER_SUITES,
    Suite,
    absent,
    bundled_suites,
    load_suite,
    parse_suite,
)
from numprobe.experiments.workers import Event

__all__ = [
    "PAGE_SUITES",
    "PAPER_SUITES",
    "Cell",
    "Event",
    "Result",
    "Store",
    "Suite",
    "absent",
    "bundled_suites",
    "cost",
    "load_suite",
    "parse_suite",
    "run",
]
