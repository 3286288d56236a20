"""What the commands share: the store's folder, the cells that are asked for, running them, and printing results."""

from __future__ import annotations

import os
import sys

from numprobe.arguments import STORE
from numprobe.errors import NumprobeError, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from numprobe.experiments import Cell, Result, Suite

FILTERS = ("embedder", "task", "range", "protocol")


def folder(options: argparse.Namespace) -> str:
    return options.store or os.environ.get("NUMPROBE_STORE") or STORE


def log_to_stderr() -> None:
    """Warnings of the library, one line each."""
    import logging

    logging.basicConfig(format="numprobe: %(message)s", level=logging.WARNING, stream=sys.stderr)


def filtered(suite: Suite, options: argparse.Namespace) -> Sequence[Cell]:
    """The cells of a suite that the options ask for."""
    cells: Sequence[Cell] = suite.cells
    for field in FILTERS:
        wanted = getattr(options, field, None)
        for name in wanted or ():
            if name not in (known := {_key(cell, field, name) for cell in cells}):
                raise unknown(f"{field} of suite '{suite.name}'", name, known)
        cells = [cell for cell in cells if not wanted or any(_key(cell, field, name) == name for name in wanted)]
    return cells


def _key(cell: Cell, field: str, asked: str) -> str:
    """A cell's field as it was asked for: with its settings if settings were asked for."""
    value: str = getattr(cell, field)
    return value.partition(":")[0] if field in ("embedder", "task") and ":" not in asked else value


def run_cells(cells: Sequence[Cell], options: argparse.Namespace) -> tuple[list[Result], int]:
    """The results of cells under a live display, and the exit code; embedders that are not here are told of."""
    from numprobe.experiments import Store, absent, run
    from numprobe.progress import Progress

    log_to_stderr()
    store, lacking = Store(folder(options)), absent(cells)
    for name, how in lacking.items():
        print(f"numprobe: {name} is not here: {how}", file=sys.stderr)
    ready = [cell for cell in cells if cell.embedder not in lacking]
    if not ready:
        return [], 2
    with Progress(ready, store, again=" ".join(["numprobe", *sys.argv[1:]])) as progress:
        results = run(
            ready,
            store,
            workers=getattr(options, "workers", 1),
            cluster=options.cluster,
            mode=options.mode,
            device=options.device,
            listen=progress.listen,
        )
    for cell, error in progress.failed:
        print(f"numprobe: {cell.embedder}, {cell.task}, {cell.range}: {error}", file=sys.stderr)
    if not progress.failed and len(results) < len(ready):
        print(f"numprobe: {len(ready) - len(results)} of {len(ready)} cells are not in {store.folder}", file=sys.stderr)
    return results, 0 if len(results) == len(ready) else 2


def print_results(results: Sequence[Result], form: str, with_paper: bool = True, out: str = "") -> None:
    """Tables of results in a format, on the standard output or in a file; by default with the paper's beside ours."""
    from numprobe.reports import Terminal, render, result_tables

    tables = result_tables(results, with_paper)
    if form == "terminal" and not out:
        if results:
            from rich.console import Console

            Console(width=None if sys.stdout.isatty() else 140).print(Terminal(tables))
        return
    if form == "terminal":
        raise NumprobeError(f"say in which --format to write {out}: markdown, csv, json, latex, svg or parquet")
    made = render(tables, form)
    if out:
        from pathlib import Path

        from numprobe.files.writing import write_whole

        write_whole(Path(out), made if isinstance(made, bytes) else f"{made}\n")
    elif isinstance(made, bytes):
        raise NumprobeError(f"{form} is not text: name a file with --out FILE")
    else:
        print(made)
