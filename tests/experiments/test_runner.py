import json
import threading
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Event, Store, cost, run
from numprobe.experiments.laboratory import run_cell
from numprobe.experiments.workers import Processes

CELLS = [
    Cell.make("value", "decoding", "0:40", probe="linear", seeds=2),
    Cell.make("random", "decoding", "0:40", probe="linear", seeds=2),
    Cell.make("value", "decoding", "0:40", probe="mlp:most_steps=100", seeds=2),
    Cell.make(
        "char-cnn:filters=4",
        "list-maximum:sampler=appendix,train_lists=300,test_lists=50",
        "0:40",
        probe="bilstm:most_steps=20",
        seeds=1,
    ),
]


def scores(store: Store) -> dict[str, list[float]]:
    return {path.name: json.loads(path.read_text())["scores"] for path in store.folder.glob("*.json")}


def test_scores_are_the_same_bytes_with_one_and_two_workers_alone_and_after_a_resume(tmp_path: Path) -> None:
    one, two, resumed = (Store(tmp_path / name) for name in ("one", "two", "resumed"))
    run(CELLS, one, workers=1)
    run(CELLS, two, workers=2)
    run(CELLS[2:3], resumed)
    run(CELLS, resumed)
    assert scores(one) == scores(two) == scores(resumed)
    alone = run_cell(CELLS[3])
    assert alone.scores == scores(one)[f"{CELLS[3].hash}.json"]


def test_only_what_is_missing_runs(tmp_path: Path) -> None:
    store = Store(tmp_path)
    events: list[Event] = []
    run(CELLS[:2], store, listen=events.append)
    assert [event.kind for event in events] == ["start", "done", "start", "done"]
    events.clear()
    results = run([*CELLS[:2], CELLS[0]], store, listen=events.append)
    assert [event.kind for event in events] == ["found", "found"]
    assert [result.cell for result in results] == CELLS[:2]
    events.clear()
    run(CELLS[:1], store, mode="always", listen=events.append)
    assert [event.kind for event in events] == ["start", "done"]
    assert [result.scores for result in run(CELLS[:3], store, mode="never")] == [r.scores for r in results]


def test_a_damaged_result_is_computed_again_and_nothing_else_is_touched(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run(CELLS[:2], store)
    before = scores(store)
    untouched = store.path(CELLS[1]).stat().st_mtime_ns
    store.path(CELLS[0]).write_text('{"cell": {')
    run(CELLS[:2], store)
    assert scores(store) == before
    assert store.path(CELLS[1]).stat().st_mtime_ns == untouched


def test_a_failing_cell_does_not_keep_others_from_running(tmp_path: Path) -> None:
    events: list[Event] = []
    results = run(CELLS[:2], Store(tmp_path), device="cuda:99", listen=events.append)
    assert results == []
    assert [event.kind for event in events] == ["start", "failed"] * 2
    assert "device 'cuda:99' can't be used" in events[1].error


def test_bad_settings(tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match="unknown mode 'allways'; did you mean 'always'"):
        run(CELLS, Store(tmp_path), mode="allways")
    with pytest.raises(NumprobeError, match="workers must be at least 1"):
        run(CELLS, Store(tmp_path), workers=0)


def test_work_is_estimated_by_what_it_is() -> None:
    assert cost(CELLS[0]) < cost(CELLS[2]) < cost(CELLS[3])


def test_workers_that_are_stopped_right_after_they_got_a_cell_stop_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda about: said.append(repr(about.exc_value)))
    workers = Processes(1, "cpu")
    assert workers.result(workers.submit(CELLS[0])).kind == "done"
    workers.submit(CELLS[1])
    workers.close()
    assert said == []
