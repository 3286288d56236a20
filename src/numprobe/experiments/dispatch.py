"""Hand cells to workers, each cell to one, even if other processes share the store and workers die."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from numprobe.experiments.cell import Cell
from numprobe.experiments.store import Store
from numprobe.experiments.workers import Event, WorkerDied
from numprobe.files.writing import Draft

logger = logging.getLogger(__name__)

LOOK_AGAIN = 0.5
"""Seconds after which to look again at the cells that other processes run."""

DIED_TWICE = "its worker died twice, perhaps out of memory; run again with fewer workers"


def dispatch(
    cells: Sequence[Cell], store: Store, workers: Any, again: bool, listen: Callable[[Event], None]
) -> Iterator[Event]:
    """Run cells, keep their results, and yield what becomes of each as soon as it is known.

    A cell is finished when its file is in the store. The process that runs it holds a lock on the file to come. Others
    leave the cell alone meanwhile and take the result in the end, or run the cell if that process has died. With
    `again`, finished cells run too.
    """
    waiting, elsewhere = deque(cells), deque[Cell]()
    claims: dict[Cell, Draft] = {}
    running: dict[Future[Event], Cell] = {}
    died: set[Cell] = set()
    told = False
    try:
        while waiting or running or elsewhere:
            while waiting and len(running) < workers.places:
                cell = waiting.popleft()
                draft = store.claim(cell)
                if draft is None:
                    elsewhere.append(cell)
                    continue
                claims[cell] = draft
                if not again and (found := store.load(cell)):
                    claims.pop(cell).discard()
                    yield Event("found", cell, found)
                else:
                    listen(Event("start", cell))
                    running[workers.submit(cell)] = cell
            done: set[Future[Event]] = set()
            if running:
                done = wait(running, LOOK_AGAIN if elsewhere else None, FIRST_COMPLETED).done
            elif elsewhere:
                if not told:
                    logger.warning("waiting for another process, which is running %d of the cells", len(elsewhere))
                    told = True
                time.sleep(LOOK_AGAIN)
            for future in done:
                cell = running.pop(future)
                try:
                    event = workers.result(future)
                except WorkerDied:
                    if cell not in died:
                        died.add(cell)
                        claims.pop(cell).discard()
                        logger.warning("the worker of %s died; the cell will run once more", cell)
                        waiting.append(cell)  # after the others, when there may be more memory
                        continue
                    event = Event("failed", cell, error=DIED_TWICE)
                if event.result is not None:
                    store.save(cell, event.result, claims[cell])
                claims.pop(cell).discard()
                yield event
            if not waiting:
                waiting, elsewhere = elsewhere, waiting
    finally:
        workers.close()
        for draft in claims.values():
            draft.discard()
