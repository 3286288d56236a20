"""Compare results with the paper: the differences, and which of its findings hold.

examples:
  numprobe compare --published
  numprobe compare integers extrapolation --json
  numprobe compare my-suite.toml

A result is "within" if it differs from the paper's by at most two deviations, 2 √(ours² + the paper's²).
"""

from collections.abc import Sequence

from numprobe.analysis import Finding, beside, compare, count, findings
from numprobe.cli._options import JSON, KEPT, METRIC, QUICK, Options, only, suites
from numprobe.cli._results import filtered, found, print_json, print_rich, rescored, suites_of
from numprobe.experiments import PAPER_SUITES, Result
from numprobe.reports import Terminal, comparison_tables
from numprobe.reports.contents import record
from numprobe.reports.grids import heading
from numprobe.reports.tables import Column, Entry, Table

ARGUMENTS = [suites("those of the paper"), *only("embedder"), QUICK, METRIC, *KEPT, JSON]


def execute(options: Options) -> None:
    cells = [cell for suite in suites_of(options, PAPER_SUITES).values() for cell in filtered(suite, options)]
    results = found(options, cells, False)
    verdicts = findings(results)
    shown = [layer for result in rescored(results, options.metric) for layer in result.by_layer()]
    compared = compare(shown)
    tables = comparison_tables(compared)
    if others := [result for result in shown if beside(result) is None]:
        tables.append(_not_in_the_paper(others))
    if options.json:
        print_json(
            {
                "compared": [record for table in tables for record in table.records],
                "counts": [one._asdict() for one in count(compared)],
                "findings": [finding._asdict() for finding in verdicts],
            }
        )
    else:
        print_rich(Terminal(tables), *map(_paragraph, verdicts))


def _not_in_the_paper(results: Sequence[Result]) -> Table:
    labels = [Column(name, is_label=True) for name in ("embedder", "task", "numbers")]
    missing = dict.fromkeys(("difference", "within", "at_least_as_good"))
    rows = ((r.cell.embedder, *heading(r), f"{r.mean:.2f} ± {r.std:.2f}") for r in results)
    return Table(
        "Not in the paper",
        columns=(*labels, Column("ours")),
        rows=tuple(tuple(map(Entry, row)) for row in rows),
        records=tuple({**record(r), "table": None, "quick": r.cell.is_quick, **missing} for r in results),
    )


def _paragraph(finding: Finding) -> str:
    statement, *evidence = (line.replace("[", r"\[") for line in (finding.statement, *finding.evidence))
    return "\n  ".join((f"[bold]{statement}:[/bold] {finding.verdict}", *evidence))
