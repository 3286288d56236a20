"""Tables and charts; the paper's own numbers as data."""

from numprobe.reports.inspection import Inspection, inspect
from numprobe.reports.paper import Published, published
from numprobe.reports.plots import chart, save_chart
from numprobe.reports.results import Results
from numprobe.reports.tables import WRITERS, render, terminal

__all__ = [
    "WRITERS",
    "Inspection",
    "Published",
    "Results",
    "chart",
    "inspect",
    "published",
    "render",
    "save_chart",
    "terminal",
]
