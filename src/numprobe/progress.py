"""One live display of a run on standard error: what runs, how much is done, how long it will take."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.live import Live
from rich.text import Text

from numprobe.experiments import Cell, Event, Store, cost
from numprobe.files.reading import watching

WORTH_A_LINE = 10_000_000
"""Bytes; what is smaller is read before anyone wonders."""


class Reads:
    """What is being fetched or read, by bytes. On a terminal it is shown live; elsewhere a line when it begins."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.running: dict[str, tuple[int, int]] = {}

    def watch(self, what: str, done: int, total: int) -> None:
        if what not in self.running and total > WORTH_A_LINE and not self.console.is_terminal:
            print(what, file=sys.stderr)
        self.running[what] = (done, total)

    def lines(self) -> list[str]:
        unfinished = {what: read for what, read in self.running.items() if read[0] < read[1] or not read[1]}
        return [f"  {what}: {_share(*read)}" for what, read in unfinished.items()]


def _share(done: int, total: int) -> str:
    return f"{100 * done // total} %" if total else f"{done / 1e6:.0f} MB"


@contextmanager
def reading() -> Iterator[None]:
    """Show what is fetched or read while the block runs."""
    reads = Reads(Console(stderr=True))
    with watching(reads.watch), _shown(reads.lines, reads.console):
        yield


Item = TypeVar("Item")


def counted(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Pass items on and show how many have come: live on a terminal, elsewhere a line for each tenth of them."""
    reads, started, done = Reads(Console(stderr=True)), time.monotonic(), 0

    def line() -> str:
        left = _left((time.monotonic() - started) / done * (total - done)) if done else "estimating the time left"
        return f"{what}: {done:,} of {total:,}, {left}"

    with watching(reads.watch), _shown(lambda: [line(), *reads.lines()], reads.console):
        for done, item in enumerate(items, 1):
            if 10 * done // total > 10 * (done - 1) // total and not reads.console.is_terminal:
                print(line(), file=sys.stderr)
            yield item


def _shown(lines: Callable[[], list[str]], console: Console) -> AbstractContextManager[object]:
    """Show lines live while a block runs, if anyone sees them."""
    if not console.is_terminal:
        return nullcontext()
    return Live(get_renderable=lambda: Text("\n".join(lines())), console=console, refresh_per_second=4, transient=True)


def _left(seconds: float) -> str:
    return f"about {seconds / 60:.0f} min left" if seconds > 90 else f"about {seconds:.0f} s left"


class Progress:
    """Listens to a run. On a terminal it is one live block; elsewhere a line for each cell that is done."""

    def __init__(self, cells: Sequence[Cell], store: Store, again: str) -> None:
        self.store, self.again = store, again
        self.console = Console(stderr=True)
        self.total, self.done = len(set(cells)), 0
        self.work = {cell: cost(cell) for cell in cells}
        self.worked = 0.0
        self.running: dict[Cell, float] = {}
        self.failed: list[tuple[Cell, str]] = []
        self.started = time.monotonic()
        self.reads = Reads(self.console)
        self.watching = watching(self.reads.watch)
        self.live = Live(get_renderable=self._block, console=self.console, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        self.watching.__enter__()
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.stop()
        self.watching.__exit__(None, None, None)
        if kind is KeyboardInterrupt:
            print(
                f"\nnumprobe: stopped. {self.done} of {self.total} cells are done and kept in {self.store.folder}; "
                f"to go on: {self.again}",
                file=sys.stderr,
            )

    def listen(self, event: Event) -> None:
        if event.kind == "start":
            self.running[event.cell] = time.monotonic()
            return
        began = self.running.pop(event.cell, None)
        if event.kind == "failed":
            self.failed.append((event.cell, event.error))
        else:
            self.done += 1
        work = self.work.pop(event.cell)
        self.worked += work if event.kind != "found" else 0.0
        if began is not None and event.result is not None and not self.console.is_terminal:
            print(f"[{self.done}/{self.total}] {self._line(event)} ({time.monotonic() - began:.0f} s)", file=sys.stderr)

    @staticmethod
    def _line(event: Event) -> str:
        cell, result = event.cell, event.result
        score = f": {result.metric} {result.mean:.2f} ± {result.std:.2f}" if result else ""
        return f"{cell.embedder}, {cell.task}, {cell.range}{score}"

    def _left(self) -> str:
        """Estimated time left, from how long the finished share of the work took."""
        if not self.worked:
            return "estimating the time left"
        return _left((time.monotonic() - self.started) / self.worked * sum(self.work.values()))

    def _block(self) -> Text:
        filled = round(30 * self.done / max(self.total, 1))
        lines = [f"{'━' * filled}{'╌' * (30 - filled)} {self.done} of {self.total} cells, {self._left()}"]
        for cell, began in list(self.running.items()):
            lines.append(f"  {cell.embedder}, {cell.task}, {cell.range} ({time.monotonic() - began:.0f} s)")
        return Text("\n".join(lines + self.reads.lines()))
