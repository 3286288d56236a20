"""Cells, suites, the runner and the result store."""

from numprobe.experiments.cell import Cell
from numprobe.experiments.event import Event
from numprobe.experiments.result import Result
from numprobe.experiments.runner import MODES, cost, run
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

__all__ = [
    "MODES",
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
