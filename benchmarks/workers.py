"""Measure the cost of handing a cell to a worker: numprobe's processes, joblib's Parallel, optionally a Ray cluster.

python benchmarks/workers.py [ADDRESS]

Two workers run fast cells. The first cells start the workers and are not timed; the time of the cells themselves is
subtracted.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from measuring import record

from numprobe.experiments import Cell, Event, Store
from numprobe.experiments.cluster import Cluster
from numprobe.experiments.dispatch import dispatch
from numprobe.experiments.workers import Processes, Workers, attempt

WORKERS = 2
CELLS = [
    Cell.make(embedder, "decoding", f"0:{high}", probe="linear", seeds=1)
    for high in range(40, 190)
    for embedder in ("value", "random")
]
FIRST = 20


def through_joblib(cells: Sequence[Cell]) -> list[Event]:
    from joblib import Parallel, delayed

    return list(
        Parallel(WORKERS, batch_size=1, pre_dispatch=WORKERS, return_as="generator_unordered", inner_max_num_threads=1)(
            delayed(attempt)(cell, "cpu") for cell in cells
        )
    )


def through(workers: Workers) -> Callable[[Sequence[Cell]], list[Event]]:
    def run(cells: Sequence[Cell]) -> list[Event]:
        with tempfile.TemporaryDirectory() as folder:
            return list(dispatch(cells, Store(folder), workers, False, lambda event: None))

    return run


class Kept:
    """Workers that stay alive for a second run."""

    def __init__(self, workers: Workers) -> None:
        self.submit, self.result, self.places = workers.submit, workers.result, WORKERS

    def close(self) -> None:
        pass


def overhead(run: Callable[[Sequence[Cell]], list[Event]]) -> float:
    """Return the milliseconds that a worker spends per cell in addition to the cell's own time."""
    run(CELLS[:FIRST])
    began = time.perf_counter()
    events = run(CELLS[FIRST:])
    wall = time.perf_counter() - began
    own = sum(event.result.made["seconds"] for event in events if event.result is not None)
    return 1000 * (WORKERS * wall - own) / len(events)


def main() -> None:
    makers: dict[str, Callable[[], Workers]] = {"processes": lambda: Processes(WORKERS, "cpu")}
    if len(sys.argv) > 1:
        makers["ray"] = lambda: Cluster(sys.argv[1], WORKERS, "cpu")
    found = {"joblib": overhead(through_joblib)}
    for name, make in makers.items():
        workers = make()
        found[name] = overhead(through(Kept(workers)))
        workers.close()
    record("milliseconds to hand out a cell", **found)


if __name__ == "__main__":
    main()
