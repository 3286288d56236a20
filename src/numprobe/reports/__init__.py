"""Tables, charts and the page."""

from numprobe.reports.figures import PICTURES, Picture
from numprobe.reports.plots import chart, inspection_chart, save_chart
from numprobe.reports.results import Results
from numprobe.reports.tables import WRITERS, alone, render, terminal

__all__ = [
    "PICTURES",
    "WRITERS",
    "Picture",
    "Results",
    "alone",
    "chart",
    "inspection_chart",
    "render",
    "save_chart",
    "terminal",
]
