"""Run many cells over processes and keep each result as soon as it is there."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from numprobe.embedders import encoder, is_learned
from numprobe.embedders.sources import fetch
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.experiments.cell import Cell
from numprobe.experiments.dispatch import dispatch
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.experiments.store import Store
from numprobe.experiments.workers import Event, Processes, ThisProcess

MODES = ("only-missing", "always", "never")


def run(
    cells: Iterable[Cell],
    store: Store,
    *,
    workers: int | None = 1,
    cluster: str = "",
    mode: str = "only-missing",
    device: str = "auto",
    listen: Callable[[Event], None] = lambda event: None,
) -> list[Result]:
    """Run cells, and return the results in the order of the cells, without those that failed.

    `only-missing` runs what the store does not have, `always` runs everything again, `never` only looks. A cell that
    fails does not stop the others. `workers` is the number of processes, None for one per core. `cluster` is the
    address of a Ray cluster, or `auto`; `workers` then limits the cells that run there at once.

    >>> import tempfile
    >>> cells = [Cell.make(name, "decoding", "0:99", probe="linear") for name in ("value", "length")]
    >>> store = Store(tempfile.mkdtemp())
    >>> [result.cell.embedder for result in run(cells, store)]
    ['value', 'length']
    >>> run(cells, store, listen=lambda event: print(event.kind, event.cell))[0].metric
    found value, decoding, [0,99], linear
    found length, decoding, [0,99], linear
    'rmse'
    """
    one_of("mode", mode, MODES)
    at_least(1, workers=1 if workers is None else workers)
    wanted = list(dict.fromkeys(cells))
    results: dict[Cell, Result] = {}
    missing: list[Cell] = []
    for cell in wanted:
        found = None if mode == "always" else store.load(cell)
        if found:
            results[cell] = found
            listen(Event("found", cell, found))
        else:
            missing.append(cell)
    if missing and mode != "never":
        store.open()
        ready = _fetched(missing, listen)
        longest_first = sorted(ready, key=cost, reverse=True)
        pool = _workers(workers, len(ready), device, cluster)
        for event in dispatch(longest_first, store, pool, mode == "always", listen):
            if event.result is not None:
                results[event.cell] = event.result
            listen(event)
    return [results[cell] for cell in wanted if cell in results]


def _fetched(cells: Sequence[Cell], listen: Callable[[Event], None]) -> list[Cell]:
    """Fetch weights, and return the cells whose weights are there; the others have failed."""
    problems = {}
    for name, embedder in {cell.embedder: cell.parts.embedder for cell in cells}.items():
        try:
            fetch(embedder)
        except NumprobeError as error:
            problems[name] = str(error)
    for cell in cells:
        if cell.embedder in problems:
            listen(Event("failed", cell, error=problems[cell.embedder]))
    return [cell for cell in cells if cell.embedder not in problems]


def _workers(count: int | None, cells: int, device: str, cluster: str) -> Any:
    if cluster:
        from numprobe.experiments.cluster import Cluster

        return Cluster(cluster, count, device)
    count = min(count or os.cpu_count() or 1, cells)
    return ThisProcess(device) if count <= 1 else Processes(count, device)


def cost(cell: Cell) -> float:
    """Estimate a cell's work in seconds of one core, for the order of work and the time left.

    >>> cost(Cell.make("random", "decoding", "0:99")) < cost(Cell.make("random", "list-maximum", "0:9999"))
    True
    """
    parts = cell.parts
    numbers = len(Selection(cell).values)
    learned = is_learned(encoder(parts.embedder))
    return parts.probe.cost(numbers, parts.task.item_count(numbers), learned) * cell.seeds
