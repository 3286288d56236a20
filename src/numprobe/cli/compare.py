"""Compare results with the paper: the differences, and which of its findings hold.

examples:
  numprobe compare --published
  numprobe compare integers extrapolation --json
  numprobe compare my-suite.toml

A result is "within" if it differs from the paper's by at most two deviations, 2 √(ours² + the paper's²).
"""

from numprobe.analysis import Finding, compare, count, findings
from numprobe.cli._options import JSON, KEPT, METRIC, QUICK, Options, only, suites
from numprobe.cli._results import filtered, found, print_json, print_rich, rescored, suites_of
from numprobe.experiments import PAPER_SUITES
from numprobe.reports import comparison_tables

ARGUMENTS = [suites("those of the paper"), *only("embedder"), QUICK, METRIC, *KEPT, JSON]


def execute(options: Options) -> None:
    cells = [cell for suite in suites_of(options, PAPER_SUITES).values() for cell in filtered(suite, options)]
    results = found(options, cells, False)
    verdicts = findings(results)
    shown = [layer for result in rescored(results, options.metric) for layer in result.by_layer()]
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
