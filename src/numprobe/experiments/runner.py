"""Running many cells over processes, keeping each result as soon as it is there."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from numprobe.embedders import EMBEDDERS, fetch, is_learned, load_embedder
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.experiments.cell import Cell
from numprobe.experiments.dispatch import dispatch
from numprobe.experiments.event import Event
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.experiments.store import Store
from numprobe.experiments.workers import Processes, ThisProcess, Workers
from numprobe.probes import RECIPES
from numprobe.registry import Spec, build

Mode = Literal["only-missing", "always", "never"]
MODES: tuple[str, ...] = get_args(Mode)


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
    """The results of all cells that could be had, in the order of the cells.

    `only-missing` runs what the store does not have, `always` runs everything again, `never` only looks.
    A cell that fails does not keep the others from running. `workers` are processes, None for one per core; with a
    `cluster`, the address of a Ray cluster or `auto`, they are at most so many at once there.
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
        pool = _workers(workers, device, cluster)
        for event in dispatch(longest_first, store, pool, mode == "always", listen):
            if event.result is not None:
                results[event.cell] = event.result
            listen(event)
    return [results[cell] for cell in wanted if cell in results]


def _fetched(cells: Sequence[Cell], listen: Callable[[Event], None]) -> list[Cell]:
    """The cells whose weights are there, after fetching what has to be; the others have failed."""
    problems = {}
    for name in dict.fromkeys(cell.embedder for cell in cells):
        try:
            fetch(build("embedder", EMBEDDERS, Spec.parse(name)))
        except NumprobeError as error:
            problems[name] = str(error)
    for cell in cells:
        if cell.embedder in problems:
            listen(Event("failed", cell, error=problems[cell.embedder]))
    return [cell for cell in cells if cell.embedder not in problems]


def _workers(count: int | None, device: str, cluster: str) -> Workers:
    if cluster:
        from numprobe.experiments.cluster import Cluster

        return Cluster(cluster, count, device)
    count = count or os.cpu_count() or 1
    return ThisProcess(device) if count == 1 else Processes(count, device)


def cost(cell: Cell) -> float:
    """A rough estimate of a cell's work, in seconds of one core: for the order of work and the time left."""
    if cell.probe == "linear":
        return 0.5
    recipe = RECIPES[cell.probe]
    trials = recipe.trial * len(recipe.rates) * len(recipe.widths) if cell.protocol == "strict" else 0.0
    numbers = len(Selection(cell).values)
    steps = recipe.steps_for(numbers if Spec.parse(cell.task).name == "decoding" else 10 * numbers, numbers)
    per_step = {"mlp": 0.0008, "bilstm": 0.009}[cell.probe] * (3 if is_learned(load_embedder(cell.embedder)) else 1)
    return per_step * steps * (1 + trials) * cell.seeds
