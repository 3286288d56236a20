"""Tables and charts; the paper's own numbers as data."""

from numprobe.reports.archive import publish, published_results
from numprobe.reports.comparison import Compared, Count, compare, count
from numprobe.reports.figures import PICTURES, Picture
from numprobe.reports.findings import Finding, findings
from numprobe.reports.inspection import Inspection, inspect
from numprobe.reports.paper import Published, beside, published
from numprobe.reports.plots import chart, save_chart
from numprobe.reports.results import Results
from numprobe.reports.tables import WRITERS, alone, render, terminal

__all__ = [
    "PICTURES",
    "WRITERS",
    "Compared",
    "Count",
    "Finding",
    "Inspection",
    "Picture",
    "Published",
    "Results",
    "alone",
    "beside",
    "chart",
    "compare",
    "count",
    "findings",
    "inspect",
    "publish",
    "published",
    "published_results",
    "render",
    "save_chart",
    "terminal",
]
