"""Run the cells of a suite that are not in the store yet.

examples:
  numprobe run demo
  numprobe run my-suite.toml --workers 4 --store results
  numprobe run baselines --embedder value --range 0:99
  numprobe run my-suite.toml --cluster ray://head.example:10001

Ctrl-C keeps the finished cells; the same command continues from there. Several runs can share a store.
"""

from numprobe.cli._options import JSON, METRIC, QUICK, RUNNING, SUITE, TRUST, WORKERS, Options, only
from numprobe.cli._results import filtered, open_store, print_results, rescored, run_cells
from numprobe.experiments import load_suite

ARGUMENTS = [SUITE, *only("embedder", "task", "range"), QUICK, WORKERS, *RUNNING, TRUST, METRIC, JSON]


def execute(options: Options) -> int:
    results, code = run_cells(filtered(load_suite(options.suite), options), options)
    print_results(rescored(results, options.metric), open_store(options), "json" if options.json else "terminal")
    return code
