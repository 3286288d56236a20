"""Show how an embedder represents a range of numbers: coverage, word pieces, norms and outliers, nearest neighbours.

examples:
  numprobe inspect glove-6b-50d --range 0:9999
  numprobe inspect minilm-l6:layer=3 --range 0:99 --form words --plot minilm.svg
"""

from dataclasses import asdict

from numprobe.analysis import inspect
from numprobe.cli._options import FORM, JSON, OFFLINE, WEIGHTS, Options, option
from numprobe.cli._results import print_json
from numprobe.progress import FileProgress

ARGUMENTS = [
    option("EMBEDDER", "what to look at, as name:setting=value,…"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:9999"),
    FORM,
    option("--plot FILE", "draw the vectors in two dimensions: .svg, .png, .pdf or .html"),
    OFFLINE,
    *WEIGHTS,
    JSON,
]


def execute(options: Options) -> None:
    with FileProgress():
        inspection = inspect(options.embedder, options.range, options.form)
    if options.plot:
        from numprobe.reports.charts import inspection_chart, save_chart

        save_chart(inspection_chart(inspection), options.plot)
    print_json(asdict(inspection)) if options.json else print(inspection)
