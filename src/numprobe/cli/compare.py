"""Compare embedders on the same shuffles: which is better, by how much, and how surely.

examples:
  numprobe compare minilm-l6 mpnet-base glove-6b-50d --range 0:99
  numprobe compare value untrained-cnn random --task list-maximum --range 0:99 --json
  numprobe compare minilm-l6 smollm2-135m:layer=best --probe linear --page comparison.html

Results that the store does not have are made first. Shuffles share training numbers, so the test is the corrected
resampled t-test (Nadeau and Bengio, 2003), with the p-values of all pairs corrected by Holm's method.
"""

import shlex
import sys

from numprobe.analysis.statistics import compare_all
from numprobe.cli._options import ASKED, JSON, METRIC, RUNNING, WORKERS, Options, option
from numprobe.cli._results import open_store, print_json, print_rich, rescored, run_cells, write_page
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.reports import paired_table

ARGUMENTS = [
    option("EMBEDDERS", "what to compare, each as name:setting=value,…", None, nargs="+", metavar="EMBEDDER"),
    *ASKED,
    METRIC,
    option("--page FILE", "also write a page with the results and the comparisons"),
    WORKERS,
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    names = list(dict.fromkeys(options.embedders))
    if len(names) < 2:
        raise NumprobeError(f"there is only {names[0]} to compare: name another embedder")
    if options.seeds == 1:
        raise NumprobeError("a comparison needs at least two shuffles")
    asked = {field: getattr(options, field) for field in ("task", "range", "form", "probe", "seeds", "missing")}
    results, code = run_cells([Cell.make(name, **asked) for name in names], options)
    results = rescored(results, options.metric)
    table = paired_table(compare_all(results))
    if options.page and results:
        from numprobe.reports.page import Section  # charts need the extra packages of numprobe[plot]

        command = shlex.join(["numprobe", *sys.argv[1:]])
        section = Section("compared", f"{results[0].cell.task}, {results[0].cell.where}", "", command, results)
        write_page(options.page, f"the store {open_store(options).folder}", [section], [], compared=table)
    if options.json:
        print_json({"comparisons": table.documents})
    elif results:
        print_rich(table)
    return code
