"""Draw one of the report's charts into a file.

examples:
  numprobe plot predictions --published --out figure.pdf
  numprobe plot magnitude integers --out magnitude.svg

The charts are predictions, against-paper, magnitude, layers, families, pieces, ratio and transfer.
"""

from numprobe.cli._options import REPORTED, Options, option
from numprobe.cli._results import found, rescored, shelf, suites_of, with_quick
from numprobe.errors import NumprobeError, one_of
from numprobe.experiments import PAGE_SUITES
from numprobe.reports.charts import save_chart
from numprobe.reports.pictures import PICTURES

ARGUMENTS = [
    option("CHART", "the chart to draw"),
    option("--out FILE", "file to write: .svg, .png, .pdf or .html (default: CHART.svg)"),
    *REPORTED,
]


def execute(options: Options) -> None:
    one_of("chart", options.chart, PICTURES)
    cells = with_quick(suites_of(options, PAGE_SUITES))
    results = rescored(found(options, shelf(options), cells, not options.suites), options.metric)
    chart = PICTURES[options.chart].draw(results)
    if chart is None:
        raise NumprobeError(f"none of the {len(results)} results has what the chart '{options.chart}' shows")
    out = options.out or f"{options.chart}.svg"
    save_chart(chart, out)
    print(out)
