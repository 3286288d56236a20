"""Tables and charts; the paper's own numbers as data."""

from numprobe.reports.paper import Published, published
from numprobe.reports.results import Results
from numprobe.reports.tables import WRITERS, render, terminal

__all__ = ["WRITERS", "Published", "Results", "published", "render", "terminal"]
