"""Run the suites behind the paper's synthetic experiments, or compare their results with the paper.

examples:
  numprobe reproduce                             run everything that the store does not have: hours
  numprobe reproduce linear negatives --quick    a first look: two shuffles and fewer lists
  numprobe reproduce integers --weights elmo=weights/elmo --weights bert=google-bert/bert-base-uncased
  numprobe reproduce --compare --published       run nothing: what numprobe bundles, beside the paper's
  numprobe reproduce --compare integers my-suite.toml --json

The suites are integers, appendix-lists, floats, negatives, extrapolation, extrapolation-values, linear, words, figure
and padding.

A result is better or behind if Welch's 95 % interval of the difference of means excludes zero.
"""

import sys
import time

from numprobe.analysis import Finding, compare, count, findings
from numprobe.cli._options import JSON, KEPT, QUICK, RUNNING, WORKERS, Options, only, option, suites
from numprobe.cli._results import (
    filtered,
    found,
    open_store,
    print_json,
    print_results,
    print_rich,
    run_cells,
    shelf,
    suites_of,
)
from numprobe.errors import NumprobeError, one_of
from numprobe.experiments import PAPER_SUITES
from numprobe.reports import comparison_tables

COMPARE = option("--compare", "run nothing: compare results with the paper, and check its findings")
ARGUMENTS = [
    suites("those of the paper"),
    COMPARE,
    *only("embedder"),
    QUICK,
    WORKERS,
    *RUNNING,
    *(own for own in KEPT if own not in RUNNING),
    JSON,
]


def execute(options: Options) -> int:
    options.suites = [name for name in options.suites or () if name != "all"]
    if options.compare:
        _compare(options)
        return 0
    if options.published:
        raise NumprobeError("--published goes with --compare: without it, reproduce runs what the store does not have")
    for name in options.suites:
        one_of("suite of the paper", name, PAPER_SUITES)
    everything, worst = [], 0
    chosen = [(suite, filtered(suite, options)) for suite in suites_of(options, PAPER_SUITES).values()]
    for suite, cells in chosen:
        start = time.monotonic()
        results, code = run_cells(cells, options)
        everything += results
        worst = max(worst, code)
        if not options.json:
            print(f"{suite.title}{', quick' if options.quick else ''}")
            print_results(results, open_store(options), "terminal")
        print(f"numprobe: {suite.name}: {(time.monotonic() - start) / 60:.1f} min", file=sys.stderr)
    if options.json:
        print_results(everything, open_store(options), "json")
    return worst


def _compare(options: Options) -> None:
    cells = [cell for suite in suites_of(options, PAPER_SUITES).values() for cell in filtered(suite, options)]
    results = found(options, shelf(options), cells, False)
    verdicts = findings(results)
    shown = [layer for result in results for layer in result.by_layer()]
    tables = comparison_tables(shown)
    if options.json:
        print_json(
            {
                "compared": [record for table in tables for record in table.records],
                "counts": count(compare(shown)),
                "findings": [finding._asdict() for finding in verdicts],
            }
        )
    else:
        print_rich(*tables, *map(_paragraph, verdicts))


def _paragraph(finding: Finding) -> str:
    statement, *evidence = (line.replace("[", r"\[") for line in (finding.statement, *finding.evidence))
    return "\n  ".join((f"[bold]{statement}:[/bold] {finding.verdict}", *evidence))
