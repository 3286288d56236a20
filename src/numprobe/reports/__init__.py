"""Tables, charts and the page. Charts are in modules of their own, because Altair takes long to import."""

from numprobe.reports.comparisons import comparison_tables, paired_table
from numprobe.reports.contents import result_tables
from numprobe.reports.results import Results
from numprobe.reports.study_tables import study_tables
from numprobe.reports.tables import Heading, Table, render

__all__ = [
    "Heading",
    "Results",
    "Table",
    "comparison_tables",
    "paired_table",
    "render",
    "result_tables",
    "study_tables",
]
