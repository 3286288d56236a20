"""Progress on standard error: live bars on a terminal and in a notebook, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from numprobe.experiments import Cell, Event, cost
from numprobe.files.reading import watching

Item = TypeVar("Item")


class _Amount(ProgressColumn):
    """How far a task is, in the words of its own `tell`."""

    def render(self, task: Task) -> Text:
        return Text(task.fields["tell"](task))


class FileProgress(Progress):
    """Shows the files that are downloaded or read while the block runs, and the tasks that are added."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self.is_live = console.is_terminal or (console.is_jupyter and find_spec("ipywidgets") is not None)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=30), _Amount())
        super().__init__(*columns, console=console, transient=True, refresh_per_second=4, disable=not self.is_live)
        self._files: dict[str, TaskID] = {}
        self._stack = ExitStack()

    def start(self) -> None:
        self._stack.enter_context(watching(self._watch))
        super().start()

    def stop(self) -> None:
        self._stack.close()
        super().stop()

    def _watch(self, what: str, done: int, total: int) -> None:
        def tell(task: Task) -> str:
            return f"{task.percentage:.0f} %" if task.total else f"{task.completed / 1e6:.0f} MB"

        if what not in self._files:
            self._files[what] = self.add_task(what, tell=tell)
            if total > 10_000_000:  # bytes; smaller files are read before anyone wonders
                self.plain(what)
        self.update(self._files[what], completed=done, total=total or None, visible=not total or done < total)

    def plain(self, line: str) -> None:
        """Print a line where nothing is live."""
        if not self.is_live:
            print(line, file=sys.stderr)


def _time_left(task: Task) -> str:
    """The time left, if the rest goes as fast as what is done. Rich estimates from the last seconds alone."""
    if not task.completed:
        return "estimating the time left"
    seconds = (task.elapsed or 0.0) / task.completed * (task.remaining or 0.0)
    return f"about {seconds / 60:.0f} min left" if seconds > 90 else f"about {seconds:.0f} s left"


def counted(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Pass items on and show how many have come; a plain line for every tenth of them."""

    def tell(task: Task) -> str:
        return f"{task.completed:,.0f} of {total:,}, {_time_left(task)}"

    with FileProgress() as progress:
        counter = progress.add_task(what, total=total, tell=tell)
        for done, item in enumerate(items, 1):
            progress.update(counter, completed=done)
            if 10 * done // total > 10 * (done - 1) // total:
                progress.plain(f"{what}: {tell(progress.tasks[0])}")
            yield item


class RunProgress(FileProgress):
    """Shows a run of cells: pass `listen` to `run`.

    The bar measures work, not cells, so that a cell that takes an hour counts for more than one that takes a second.
    """

    def __init__(self, cells: Iterable[Cell]) -> None:
        super().__init__()
        self.failed: list[tuple[Cell, str]] = []
        self._work = {cell: cost(cell) for cell in cells}
        self.total, self.done = len(self._work), 0
        self._bar = self.add_task("cells", total=sum(self._work.values()), tell=self._tell)
        self._running: dict[Cell, tuple[TaskID, float]] = {}

    def _tell(self, task: Task) -> str:
        return f"{self.done} of {self.total} done, {_time_left(task)}"

    def listen(self, event: Event) -> None:
        if event.cell in self._running:
            line, began = self._running.pop(event.cell)
            self.remove_task(line)
        if event.kind == "start":
            line = self.add_task(f"  {event.cell}", total=None, tell=lambda task: f"{task.elapsed or 0:.0f} s")
            self._running[event.cell] = line, time.monotonic()
            return
        work = self._work.pop(event.cell, 0.0)
        if event.kind == "found":  # no work, so that it says nothing about the speed
            self.update(self._bar, total=(self.tasks[0].total or 0.0) - work)
        else:
            self.advance(self._bar, work)
        if event.kind == "failed":
            self.failed.append((event.cell, event.error))
            return
        self.done += 1
        if event.kind == "done" and event.result is not None:
            score = f"{event.result.metric} {event.result.mean:.2f} ± {event.result.std:.2f}"
            self.plain(f"[{self.done}/{self.total}] {event.cell}: {score} ({time.monotonic() - began:.0f} s)")
