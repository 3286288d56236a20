"""Running many cells over processes, keeping each result as soon as it is there."""

import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, get_args

from numprobe.embedders import EMBEDDERS, fetch, is_learned, load_embedder
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.experiments.selection import Selection
from numprobe.experiments.store import Store
from numprobe.probes import RECIPES
from numprobe.specs import Spec, build

Mode = Literal["only-missing", "always", "never"]
MODES: tuple[str, ...] = get_args(Mode)


@dataclass(frozen=True)
class Event:
    """What a run says of a cell: it was found in the store, it starts, it is done, or it failed."""

    kind: Literal["found", "start", "done", "failed"]
    cell: Cell
    result: Result | None = None
    error: str = ""


def run(
    cells: Iterable[Cell],
    store: Store,
    *,
    workers: int = 1,
    mode: str = "only-missing",
    device: str = "auto",
    listen: Callable[[Event], None] = lambda event: None,
) -> list[Result]:
    """The results of all cells that could be had, in the order of the cells.

    `only-missing` runs what the store does not have, `always` runs everything again, `never` only looks.
    A cell that fails does not keep the others from running.
    """
    one_of("mode", mode, MODES)
    at_least(1, workers=workers)
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
        for event in _events(sorted(ready, key=cost, reverse=True), workers, device, listen):
            if event.result is not None:
                store.save(event.cell, event.result)
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


def _events(cells: Sequence[Cell], workers: int, device: str, listen: Callable[[Event], None]) -> Iterator[Event]:
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed

    def starting() -> Iterator[Cell]:
        for cell in cells:
            listen(Event("start", cell))
            yield cell

    if workers == 1:
        for cell in starting():
            yield _attempt(cell, device)
        return
    # One cell is handed out at a time, so that the longest run first and "start" is told when it is true.
    parallel = Parallel(
        n_jobs=workers, batch_size=1, pre_dispatch=workers, return_as="generator_unordered", inner_max_num_threads=1
    )
    # joblib replaces a worker that has grown, after its cell, and warns of it: nothing is lost.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)
    try:
        with _interrupts_left_to_this_process():
            events = parallel(delayed(_attempt)(cell, device) for cell in starting())
        yield from events
    except BrokenProcessPool:
        raise NumprobeError(
            "a worker process died, perhaps for lack of memory; finished cells are kept: run again with fewer workers"
        ) from None


@contextmanager
def _interrupts_left_to_this_process() -> Iterator[None]:
    """Processes that are started meanwhile ignore Ctrl-C: this one stops them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # where no interrupt comes
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _attempt(cell: Cell, device: str) -> Event:
    from numprobe.experiments.execute import execute

    try:
        return Event("done", cell, execute(cell, device=device))
    except NumprobeError as error:
        return Event("failed", cell, error=str(error))


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
