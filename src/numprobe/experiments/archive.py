"""The results that are published with numprobe: the cells of the page's suites, in one small file."""

import json
import lzma
from collections.abc import Iterable
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.experiments.store import Store
from numprobe.experiments.suites import PAGE_SUITES, load_suite
from numprobe.files.writing import write_whole

FILE = files("numprobe.experiments") / "results.json.xz"
DIGITS = 5
"""Significant digits of a published answer."""


def published_results() -> list[Result]:
    """The results that are published with numprobe, in the order of the page."""
    return unpack_results(FILE.read_bytes())


class Bundle:
    """The published results, to be looked up as in a store."""

    folder = "numprobe"

    def __init__(self) -> None:
        self._by_cell = {result.cell: result for result in published_results()}

    def load(self, cell: Cell) -> Result | None:
        """The result of a cell, or None."""
        return self._by_cell.get(cell)

    def results(self) -> Iterable[Result]:
        """Every result, in the order of the page."""
        return self._by_cell.values()


def publish(store: Store) -> int:
    """Publish what a store has of the page's suites (`make publish`), and what was published and still holds.

    Return the number of results.
    """
    cells = dict.fromkeys(cell for name in PAGE_SUITES for cell in load_suite(name).cells)
    before = {result.cell.hash: result for result in current(FILE.read_bytes())}
    results = [result for cell in cells if (result := store.load(cell) or before.get(cell.hash)) is not None]
    if not results:
        raise NumprobeError(f"{store.folder} holds no results of the page's suites")
    write_whole(Path(str(FILE)), pack_results(results))
    return len(results)


def restore(store: Store) -> int:
    """Write the published results to a store, so that a run goes on from there; return the number of results."""
    store.open()
    results = current(FILE.read_bytes())
    for result in results:
        store.save(result.cell, result)
    return len(results)


def current(data: bytes) -> list[Result]:
    """The packed results that this version of numprobe would give."""
    return [
        result
        for entry in entries(data)
        if "versions" in entry["settings"]
        and (result := Result.from_dict(entry)).cell.training().items() <= entry["settings"].items()
    ]


def pack_results(results: Iterable[Result]) -> bytes:
    """Pack results into few bytes: a line of JSON for each, compressed."""
    lines = (json.dumps(_entry(result), ensure_ascii=False, separators=(",", ":")) for result in results)
    return lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def unpack_results(data: bytes) -> list[Result]:
    """
    >>> unpack_results(pack_results([]))
    []
    """
    return [Result.from_dict(entry) for entry in entries(data)]


def entries(data: bytes) -> list[dict[str, Any]]:
    """The fields of each packed result, and the settings it was trained with."""
    return [json.loads(line) for line in lzma.decompress(data).decode().splitlines()]


def _entry(result: Result) -> dict[str, Any]:
    """What is kept of a result: of transfer, for which there are many, the scores in every metric and no answers."""
    entry = {own.name: getattr(result, own.name) for own in fields(result)}
    kept = None if result.cell.transfers else result.predictions
    rounded = kept and [[float(f"{value:.{DIGITS}g}") for value in row] for row in kept]
    return entry | {"cell": result.cell.as_dict(), "predictions": rounded, "settings": result.cell.training()}
