"""Compare results with the paper: the differences, and which of its findings hold.

examples:
  numprobe compare --published
  numprobe compare integers extrapolation --json
  numprobe compare my-suite.toml

A result is "within" if it differs from the paper's by at most two deviations, 2 √(ours² + the paper's²).
"""

from __future__ import annotations

from numprobe.cli._options import JSON, KEPT, QUICK, Options, only, suites
from numprobe.cli._results import filtered, found, print_json, print_rich

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from numprobe.analysis import Compared, Count, Finding


ARGUMENTS = [suites("those of the paper"), *only("embedder"), QUICK, *KEPT, JSON]


def execute(options: Options) -> int:
    from numprobe.analysis import compare, count, findings
    from numprobe.experiments import PAPER_SUITES, load_suite

    chosen = [suite.quick() if options.quick else suite for suite in map(load_suite, options.suites or PAPER_SUITES)]
    results = found(options, [cell for suite in chosen for cell in filtered(suite, options)], False, options.suites)
    compared, verdicts = compare(results), findings(results)
    counts = count(compared)
    if options.json:
        print_json(
            {
                "compared": [_record(one) for one in compared],
                "counts": [one._asdict() for one in counts],
                "findings": [finding._asdict() for finding in verdicts],
            }
        )
    else:
        print_rich(*_tables(compared, counts), *map(_paragraph, verdicts))
    return 0


def _record(one: Compared) -> dict[str, object]:
    from numprobe.reports.tables import records

    (row,) = records([one.result])
    return {
        **row,
        "table": one.table,
        "quick": one.result.cell.is_quick,
        "difference": one.difference,
        "within": one.within,
        "at_least_as_good": one.at_least_as_good,
    }


def _tables(compared: Sequence[Compared], counts: Sequence[Count]) -> Iterator[Table]:
    from rich.table import Table

    from numprobe.reports.tables import headings

    for count in counts:
        title = f"{count.table}{', quick' if count.quick else ''}: "
        title += f"{count.within_or_better} of {count.cells} within two deviations or better"
        table = Table(title=title, title_justify="left", title_style="bold")
        for heading in ("embedder", "task", "numbers"):
            table.add_column(heading)
        for heading in ("ours", "paper", "difference", ""):
            table.add_column(heading, justify="right")
        for one in compared:
            if (one.table, one.result.cell.is_quick) == (count.table, count.quick):
                ours, paper = f"{one.result.mean:.2f} ± {one.result.std:.2f}", str(one.paper)
                where = (text.replace("[", r"\[") for text in headings(one.result))
                table.add_row(one.result.cell.embedder, *where, ours, paper, f"{one.difference:+.2f}", one.verdict)
        yield table


def _paragraph(finding: Finding) -> str:
    statement, *evidence = (line.replace("[", r"\[") for line in (finding.statement, *finding.evidence))
    return "\n  ".join((f"[bold]{statement}:[/bold] {finding.verdict}", *evidence))
