from concurrent.futures import Future
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Event, Store
from numprobe.experiments.dispatch import dispatch
from numprobe.experiments.workers import WorkerDied
from tests.conftest import make_result

RESULTS = [make_result("value"), make_result("random"), make_result("untrained-cnn")]
CELLS = [result.cell for result in RESULTS]


class Mortal:
    """Two workers that die over some cells so many times."""

    places = 2

    def __init__(self, deaths: dict[Cell, int]) -> None:
        self.deaths, self.given, self.closed = deaths, list[Cell](), False

    def submit(self, cell: Cell) -> "Future[Event]":
        self.given.append(cell)
        future: Future[Event] = Future()
        if self.given.count(cell) <= self.deaths.get(cell, 0):
            future.set_exception(WorkerDied())
        else:
            future.set_result(Event("done", cell, RESULTS[CELLS.index(cell)]))
        return future

    def result(self, future: "Future[Event]") -> Event:
        return future.result()

    def close(self) -> None:
        self.closed = True


def run(store: Store, workers: Mortal, again: bool = False) -> dict[Cell, Event]:
    events = {event.cell: event for event in dispatch(CELLS, store, workers, again, lambda event: None)}
    assert workers.closed
    assert not list(store.folder.glob(".*"))
    return events


def test_a_cell_whose_worker_dies_runs_again_and_fails_the_second_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, workers = Store(tmp_path), Mortal({CELLS[0]: 1, CELLS[1]: 2})
    events = run(store, workers)
    assert [events[cell].kind for cell in CELLS] == ["done", "failed", "done"]
    assert events[CELLS[1]].error.startswith("its worker died twice, perhaps out of memory")
    assert [workers.given.count(cell) for cell in CELLS] == [2, 2, 1]
    assert workers.given[2] == CELLS[2]  # the others come first
    assert caplog.text.count("the cell will run once more") == 2
    assert [store.load(cell) is not None for cell in CELLS] == [True, False, True]


def test_cells_that_another_process_runs_are_left_to_it_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store, workers = Store(tmp_path), Mortal({})
    finished, abandoned = store.claim(CELLS[0]), store.claim(CELLS[1])
    assert finished is not None
    assert abandoned is not None

    def meanwhile(_: float) -> None:
        store.save(CELLS[0], RESULTS[0], finished)
        abandoned.discard()

    monkeypatch.setattr("time.sleep", meanwhile)
    events = run(store, workers)
    assert [events[cell].kind for cell in CELLS] == ["found", "done", "done"]
    assert workers.given == [CELLS[2], CELLS[1]]
    assert "waiting for another process, which is running 2 of the cells" in caplog.text
    assert [event.kind for event in run(store, Mortal({}), again=True).values()] == ["done"] * 3


def test_a_run_may_end_with_what_another_process_has_finished(tmp_path: Path) -> None:
    store = Store(tmp_path)
    other = store.claim(CELLS[0])
    assert other is not None

    def listen(event: Event) -> None:
        if event.cell == CELLS[2]:
            store.save(CELLS[0], RESULTS[0], other)

    events = [event.kind for event in dispatch(CELLS, store, Mortal({}), False, listen)]
    assert events == ["done", "done", "found"]


def test_a_result_that_can_not_be_kept_ends_the_run_and_leaves_no_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(NumprobeError, match=r"can't write to the result store .*: No space left on device"):
        run(Store(tmp_path), workers := Mortal({}))
    assert workers.closed
    assert not list(tmp_path.iterdir())
