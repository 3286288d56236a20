"""Print tables of results.

examples:
  numprobe show
  numprobe show demo --format markdown --alone
  numprobe show integers --published --format latex
  numprobe show integers --format parquet --out integers.parquet
  numprobe show --json | jq '.[].mean'
"""

from numprobe.cli._options import JSON, KEPT, Options, option, suites, table
from numprobe.cli._results import found, print_results, with_quick

ARGUMENTS = [
    suites("all results"),
    *table("markdown, csv, json, latex, svg or parquet"),
    option("--alone", "leave out the paper's numbers"),
    *KEPT,
    JSON,
]


def execute(options: Options) -> int:
    from numprobe.analysis import beside
    from numprobe.experiments import load_suite
    from numprobe.reports import alone

    cells = with_quick(map(load_suite, options.suites))
    results = found(options, cells, not options.suites, options.suites)
    form = "json" if options.json else options.format
    print_results(results, form, alone if options.alone else beside, options.out)
    return 0
