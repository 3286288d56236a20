"""What commands share: find results, run cells to make them, and print them."""

import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from numprobe.analysis import Finding
from numprobe.cli._options import Options
from numprobe.errors import NumprobeError, unknown
from numprobe.experiments import Cell, Result, Store, Suite, absent, load_suite, run
from numprobe.experiments.archive import Bundle
from numprobe.experiments.floors import bounds
from numprobe.files.writing import write_whole
from numprobe.metrics import METRICS
from numprobe.progress import RunProgress
from numprobe.reports import Table, render, result_tables

if TYPE_CHECKING:
    from numprobe.reports.page import Section


def open_store(options: Options) -> Store:
    """The store that the options or NUMPROBE_STORE name."""
    return Store(options.store or os.environ.get("NUMPROBE_STORE") or "numprobe-results")


def filtered(suite: Suite, options: Options) -> Sequence[Cell]:
    """The cells of a suite, perhaps its quick ones, that --embedder, --task and --range select."""
    cells: Sequence[Cell] = suite.quick().cells if options.quick else suite.cells
    for field in ("embedder", "task", "range"):
        wanted = getattr(options, field, None)
        for name in wanted or ():
            if name not in (known := {_key(cell, field, name) for cell in cells}):
                raise unknown(f"{field} of suite '{suite.name}'", name, known)
        cells = [cell for cell in cells if not wanted or any(_key(cell, field, name) == name for name in wanted)]
    return cells


def _key(cell: Cell, field: str, wanted: str) -> str:
    """A field of a cell to compare with a wanted value, without its settings if the value has none."""
    value: str = getattr(cell, field)
    return value if field == "range" or ":" in wanted else value.partition(":")[0]


def run_cells(cells: Sequence[Cell], options: Options) -> tuple[list[Result], int]:
    """Run cells under a progress display; return their results and the exit code."""
    metric = METRICS.build(options.metric) if getattr(options, "metric", "") else None
    if metric is not None and all(cell.parts.task.answer is not metric.answer for cell in cells):
        raise NumprobeError(f"metric '{options.metric}' scores a {metric.answer.value}, and no cell asks for one")
    store, lacking = open_store(options), absent(cells)
    for name, how in lacking.items():
        print(f"numprobe: {name} is not here: {how}", file=sys.stderr)
    ready = [cell for cell in cells if cell.embedder not in lacking]
    if not ready:
        return [], 2
    progress = RunProgress(ready)
    try:
        with progress:
            results = run(
                ready,
                store,
                workers=getattr(options, "workers", 1),
                cluster=options.cluster,
                mode=options.mode,
                device=options.device,
                listen=progress.listen,
            )
    except KeyboardInterrupt:
        print(
            f"\nnumprobe: stopped. {progress.done} of {progress.total} cells are done and kept in {store.folder}; "
            f"to go on: {shlex.join(['numprobe', *sys.argv[1:]])}",
            file=sys.stderr,
        )
        raise
    for cell, error in progress.failed:
        print(f"numprobe: {cell}: {error}", file=sys.stderr)
    if not progress.failed and len(results) < len(ready):
        print(f"numprobe: {len(ready) - len(results)} of {len(ready)} cells are not in {store.folder}", file=sys.stderr)
    return results, 0 if len(results) == len(ready) else 2


def suites_of(options: Options, default: Sequence[str] = ()) -> dict[str, Suite]:
    """The suites that the user names, or else the default ones."""
    return {name: load_suite(name) for name in options.suites or default}


def shelf(options: Options) -> Store | Bundle:
    """Where to look for results: in the store, or among those that numprobe bundles."""
    return Bundle() if options.published else open_store(options)


def bounding(results: Sequence[Result], place: Store | Bundle) -> list[Result]:
    """The floors and ceilings of some results, as far as they can be found."""
    cells = dict.fromkeys(bound for result in results for bound in bounds(result.cell))
    return [result for cell in cells if (result := place.load(cell)) is not None]


def found(options: Options, place: Store | Bundle, cells: Iterable[Cell], everything: bool) -> list[Result]:
    """Find the results of cells, or those and every other one, in a place."""
    results = {cell: result for cell in cells if (result := place.load(cell)) is not None}
    if everything:
        for result in place.results():
            results.setdefault(result.cell, result)
    if not results:
        of = f" of {', '.join(options.suites)}" if options.suites else ""
        again = f"{options.suites[0] if of else 'demo'}{' --quick' if getattr(options, 'quick', False) else ''}"
        raise NumprobeError(f"{place.folder} holds no results{of} yet: make some with numprobe run {again}")
    return list(results.values())


def with_quick(suites: Mapping[str, Suite]) -> list[Cell]:
    """The cells of suites, and their quick variants."""
    return list(dict.fromkeys(cell for suite in suites.values() for cell in (*suite.cells, *suite.quick().cells)))


def rescored(results: Sequence[Result], metric: str) -> list[Result]:
    """Show results in another metric, and say which results that leaves out."""
    if not metric:
        return list(results)
    measure = METRICS.build(metric)
    fitting = [result for result in results if result.cell.parts.task.answer is measure.answer]
    kept = [result for result in fitting if result.can_be(metric)]
    reasons = {
        f"metric '{metric}' can't score the answers of {{}}": len(results) - len(fitting),
        "the answers of {} were not kept": len(fitting) - len(kept),
    }
    told = ", and ".join(reason.format(number) for reason, number in reasons.items() if number)
    if results and not kept:
        raise NumprobeError(f"no result can be scored in metric '{metric}': {told}")
    if told:
        print(f"numprobe: {len(results) - len(kept)} of {len(results)} results are left out: {told}", file=sys.stderr)
    return [result.rescored(metric) for result in kept]


def print_results(
    results: Sequence[Result], place: Store | Bundle, form: str, with_paper: bool = True, out: str = ""
) -> None:
    """Print tables of results or write them to a file, with the paper's numbers or without, and floors of a place."""
    print_tables(result_tables(results, with_paper, bounding(results, place)), form, out)


def print_tables(tables: Sequence[Table], form: str, out: str = "") -> None:
    """Print tables or write them to a file."""
    if form == "terminal" and out:
        raise NumprobeError(f"choose the format of {out} with --format, such as markdown, csv, json or latex")
    if form == "terminal":
        print_rich(*tables)
        return
    document = render(tables, form)
    if out:
        write_whole(Path(out), document if isinstance(document, bytes) else f"{document}\n")
    elif isinstance(document, bytes):
        raise NumprobeError(f"{form} is a binary format: name a file with --out FILE")
    else:
        print(document)


def print_json(document: object) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))


def print_rich(*parts: RenderableType) -> None:
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))


def write_page(out: str, source: str, sections: "Sequence[Section]", findings: Sequence[Finding], **more: Any) -> Path:
    """Write a page, which also says where its results come from."""
    from numprobe.reports.page import page

    about = {"numprobe": version("numprobe"), "written": date.today().isoformat(), "results": source}
    path = Path(out)
    write_whole(path, page(sections, findings, about, **more))
    return path
