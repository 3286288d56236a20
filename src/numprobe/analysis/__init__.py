"""What the results say: comparisons with the paper, the paper's findings, and a look inside embedders."""

from numprobe.analysis.comparison import compare, count
from numprobe.analysis.findings import Finding, findings
from numprobe.analysis.inspection import inspect
from numprobe.analysis.paper import published

__all__ = ["Finding", "compare", "count", "findings", "inspect", "published"]
