"""The commands that reproduce the paper's tables, and that set ours beside them."""

from __future__ import annotations

import sys
import time

from numprobe.console import filtered, folder, log_to_stderr, print_results, run_cells
from numprobe.errors import NumprobeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.table import Table

    from numprobe.analysis import Compared, Count, Finding
    from numprobe.experiments import Result, Suite


def reproduce(options: argparse.Namespace) -> int:
    """Run suites one after the other; each one's table comes when it is done."""
    everything, worst = [], 0
    for suite, cells in [(suite, filtered(suite, options)) for suite in _suites(options)]:
        start = time.monotonic()
        results, code = run_cells(cells, options)
        everything += results
        worst = max(worst, code)
        if not options.json:
            print(suite.title)
            print_results(results, "terminal")
        print(f"numprobe: {suite.name}: {(time.monotonic() - start) / 60:.1f} min", file=sys.stderr)
    if options.json:
        print_results(everything, "json")
    return worst


def compare(options: argparse.Namespace) -> int:
    """Ours beside the paper's, how many agree, and which findings hold."""
    import json

    from numprobe.analysis import compare, count, findings

    results = _results(options)
    compared, found = compare(results), findings(results)
    counts = count(compared)
    if options.json:
        document = {
            "compared": [_record(one) for one in compared],
            "counts": [one._asdict() for one in counts],
            "findings": [finding._asdict() for finding in found],
        }
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _print(compared, counts, found)
    return 0


def _suites(options: argparse.Namespace) -> list[Suite]:
    from numprobe.errors import one_of
    from numprobe.experiments import PAPER_SUITES, load_suite

    names = options.names if options.names and options.names != ["all"] else PAPER_SUITES
    for name in names:
        one_of("suite of the paper", name, PAPER_SUITES)
    return [suite.quick() if options.quick else suite for suite in map(load_suite, names)]


def _results(options: argparse.Namespace) -> list[Result]:
    """What the store has of the suites, or what comes with numprobe."""
    from numprobe.experiments import Store
    from numprobe.experiments.archive import published_results

    log_to_stderr()
    store = Store(folder(options))
    find = {result.cell: result for result in published_results()}.get if options.published else store.load
    cells = dict.fromkeys(cell for suite in _suites(options) for cell in filtered(suite, options))
    results = [result for result in map(find, cells) if result is not None]
    if not results:
        place = "numprobe" if options.published else store.folder
        again = " ".join(["numprobe reproduce", *options.names, *(["--quick"] if options.quick else [])])
        raise NumprobeError(f"{place} holds no results to compare yet: {again} makes them")
    return results


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


def _print(compared: Sequence[Compared], counts: Sequence[Count], found: Sequence[Finding]) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    for one in counts:
        group = [
            other
            for other in compared
            if (other.table, other.result.cell.protocol, other.result.cell.is_quick)
            == (one.table, one.protocol, one.quick)
        ]
        console.print(_table(one, group))
    for finding in found:
        lines = (line.replace("[", r"\[") for line in (finding.statement, *finding.evidence))
        console.print(f"[bold]{next(lines)}:[/bold] {finding.verdict}", *lines, sep="\n  ", soft_wrap=True)


def _table(count: Count, group: Sequence[Compared]) -> Table:
    from rich.table import Table

    from numprobe.reports.tables import headings

    title = f"{count.table}, protocol {count.protocol}{', quick' if count.quick else ''}: "
    title += f"{count.within_or_better} of {count.cells} within two deviations or better"
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("embedder", "task", "numbers"):
        table.add_column(heading)
    for heading in ("ours", "paper", "difference", ""):
        table.add_column(heading, justify="right")
    for one in group:
        ours, paper = f"{one.result.mean:.2f} ± {one.result.std:.2f}", str(one.paper)
        where = (text.replace("[", r"\[") for text in headings(one.result))
        table.add_row(one.result.cell.embedder, *where, ours, paper, f"{one.difference:+.2f}", one.verdict)
    return table
