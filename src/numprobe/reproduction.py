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

    from numprobe.analysis import Compared, Finding
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
    from numprobe.reports import comparison_tables

    results = _results(options)
    compared, found = compare(results), findings(results)
    if options.json:
        document = {
            "compared": [record for table in comparison_tables(compared) for record in table.records],
            "counts": [one._asdict() for one in count(compared)],
            "findings": [finding._asdict() for finding in found],
        }
        print(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _print(compared, found)
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


def _print(compared: Sequence[Compared], found: Sequence[Finding]) -> None:
    from rich.console import Console

    from numprobe.reports import Terminal, comparison_tables

    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    console.print(Terminal(comparison_tables(compared)))
    for finding in found:
        lines = (line.replace("[", r"\[") for line in (finding.statement, *finding.evidence))
        console.print(f"[bold]{next(lines)}:[/bold] {finding.verdict}", *lines, sep="\n  ", soft_wrap=True)
