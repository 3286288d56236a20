"""Who runs cells: this process, or others on this machine. `cluster` runs them on other machines."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "VECLIB")}

LOOK_FOR_PARENT = 1.0
"""Seconds after which a worker checks again whether the process that started it is alive."""

LOOK_FOR_CALL = 0.001
"""Seconds after which to check again whether a worker's pool has taken a call."""


@dataclass(frozen=True)
class Event:
    """What a run says of a cell: the store has it, it starts, it is done, or it failed.

    >>> event = Event("failed", Cell.make("value", "decoding", "0:99"), error="not enough memory")
    >>> print(f"{event.cell}: {event.kind}, {event.error}")
    value, decoding, [0,99]: failed, not enough memory
    """

    kind: Literal["found", "start", "done", "failed"]
    cell: Cell
    result: Result | None = None
    error: str = ""


class WorkerDied(Exception):
    """The worker that had a cell is gone for an unknown reason."""


def attempt(cell: Cell, device: str) -> Event:
    """Run a cell and say what became of it."""
    import torch

    from numprobe.experiments.laboratory import run_cell

    try:
        return Event("done", cell, run_cell(cell, device=device))
    except NumprobeError as error:
        return Event("failed", cell, error=str(error))
    except (MemoryError, torch.OutOfMemoryError):
        return Event("failed", cell, error=NO_MEMORY)
    except RuntimeError as error:
        if "can't allocate memory" in str(error):  # PyTorch's, on a processor
            return Event("failed", cell, error=NO_MEMORY)
        raise


NO_MEMORY = "not enough memory; run again with fewer workers or on a larger machine"


class ThisProcess:
    """Runs cells one after the other, here.

    Like all workers, it has a place for each cell that can run at once. `submit` hands over a cell, `result` returns
    what became of it or raises `WorkerDied`, and `close` stops whatever runs.
    """

    places = 1

    def __init__(self, device: str) -> None:
        self.device = device

    def submit(self, cell: Cell) -> "Future[Event]":
        future: Future[Event] = Future()
        future.set_result(attempt(cell, self.device))
        return future

    def result(self, future: "Future[Event]") -> Event:
        return future.result()

    def close(self) -> None:
        pass


class Processes:
    """Processes on this machine, one thread each.

    Each is a pool of its own. If one dies, the others go on, and it is known which cell it had.
    """

    def __init__(self, places: int, device: str) -> None:
        self.places, self.device = places, device
        self._idle: list[Any] = []
        self._busy: dict[Future[Event], Any] = {}
        # joblib replaces a worker whose memory has grown after its cell, with a warning. Nothing is lost.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)

    def submit(self, cell: Cell) -> "Future[Event]":
        with _interrupts_left_to_this_process():
            process = self._idle.pop() if self._idle else self._start()
            future: Future[Event] = process.submit(attempt, cell, self.device)
        self._busy[future] = process
        return future

    def result(self, future: "Future[Event]") -> Event:
        process = self._busy.pop(future)
        try:
            event: Event = future.result()
        except BrokenProcessPool:
            process.shutdown(kill_workers=True)
            raise WorkerDied from None
        self._idle.append(process)
        return event

    @staticmethod
    def _start() -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        return ProcessPoolExecutor(1, env=ONE_THREAD, initializer=_end_with, initargs=(os.getpid(),))

    def close(self) -> None:
        for future, process in self._busy.items():
            while not (future.running() or future.done()):  # joblib's pool can't drop a call that it has not taken yet
                time.sleep(LOOK_FOR_CALL)
            process.shutdown(kill_workers=True)
        for process in self._idle:  # killing them would leave behind what libraries clean up at exit
            process.shutdown(wait=True)


def _end_with(parent: int) -> None:
    """End this process when its parent has ended: nobody would take its result."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_FOR_PARENT)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_left_to_this_process() -> Iterator[None]:
    """Let processes that start meanwhile ignore Ctrl-C: this process stops them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # interrupts only reach the main thread
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
