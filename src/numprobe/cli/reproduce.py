"""Run the suites behind the paper's synthetic experiments.

examples:
  numprobe reproduce                             run everything that the store does not have: hours
  numprobe reproduce linear negatives --quick    a first look: two shuffles and fewer lists
  numprobe reproduce integers --weights elmo=weights/elmo --weights bert=google-bert/bert-base-uncased

The suites are integers, appendix-lists, floats, negatives, extrapolation, extrapolation-values, linear, words, figure
and padding.
"""

import sys
import time

from numprobe.cli._options import JSON, QUICK, RUNNING, WORKERS, Options, only, option
from numprobe.cli._results import filtered, print_results, run_cells
from numprobe.errors import one_of
from numprobe.experiments import PAPER_SUITES, load_suite

SUITES = option("NAMES", "suites of the paper (default: all)", None, nargs="*", metavar="NAME")
ARGUMENTS = [SUITES, *only("embedder"), QUICK, WORKERS, *RUNNING, JSON]


def execute(options: Options) -> int:
    names = options.names if options.names != ["all"] else ()
    for name in names:
        one_of("suite of the paper", name, PAPER_SUITES)
    everything, worst = [], 0
    for suite, cells in [(suite, filtered(suite, options)) for suite in map(load_suite, names or PAPER_SUITES)]:
        start = time.monotonic()
        results, code = run_cells(cells, options)
        everything += results
        worst = max(worst, code)
        if not options.json:
            print(f"{suite.title}{', quick' if options.quick else ''}")
            print_results(results, "terminal")
        print(f"numprobe: {suite.name}: {(time.monotonic() - start) / 60:.1f} min", file=sys.stderr)
    if options.json:
        print_results(everything, "json")
    return worst
