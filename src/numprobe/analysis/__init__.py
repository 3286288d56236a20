"""What the results say: comparisons with the paper, the paper's findings, and a look inside embedders."""

from numprobe.analysis.comparison import Compared, Count, compare, count
from numprobe.analysis.findings import Finding, findings
from numprobe.analysis.inspection import Inspection, inspect
from numprobe.analysis.paper import Published, beside, published

__all__ = [
    "Compared",
    "Count",
    "Finding",
    "Inspection",
    "Published",
    "beside",
    "compare",
    "count",
    "findings",
    "inspect",
    "published",
]
