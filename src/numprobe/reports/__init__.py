"""Tables, charts and the page. Charts are in modules of their own, because Altair takes long to import."""

from numprobe.reports.contents import comparison_tables, result_tables, study_tables
from numprobe.reports.results import Results
from numprobe.reports.tables import Heading, Table, render

__all__ = ["Heading", "Results", "Table", "comparison_tables", "render", "result_tables", "study_tables"]
