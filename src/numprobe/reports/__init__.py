"""Tables, charts and the page."""

from numprobe.reports.charts import chart, inspection_chart, save_chart
from numprobe.reports.contents import comparison_tables, result_tables, study_tables
from numprobe.reports.pictures import PICTURES
from numprobe.reports.results import Results
from numprobe.reports.tables import WRITERS, Table, Terminal, render

__all__ = [
    "PICTURES",
    "WRITERS",
    "Results",
    "Table",
    "Terminal",
    "chart",
    "comparison_tables",
    "inspection_chart",
    "render",
    "result_tables",
    "save_chart",
    "study_tables",
]
