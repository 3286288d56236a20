"""Print tables of results.

examples:
  numprobe show
  numprobe show demo --format markdown --alone
  numprobe show integers --published --format latex
  numprobe show integers --format parquet --out integers.parquet
  numprobe show --json | jq '.[].mean'
"""

from numprobe.cli._options import JSON, KEPT, METRIC, TABLE, Options, option, suites
from numprobe.cli._results import found, print_results, rescored, shelf, suites_of, with_quick

ARGUMENTS = [
    suites("all results"),
    *TABLE,
    option("--alone", "leave out the paper's numbers"),
    METRIC,
    *KEPT,
    JSON,
]


def execute(options: Options) -> None:
    place = shelf(options)
    results = found(options, place, with_quick(suites_of(options)), not options.suites)
    form = "json" if options.json else options.format
    print_results(rescored(results, options.metric), place, form, not options.alone, options.out)
