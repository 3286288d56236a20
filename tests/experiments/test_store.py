import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Store
from numprobe.probes.mlp import MLP
from tests.conftest import make_result


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    store, result = Store(tmp_path / "new" / "store"), make_result()
    assert store.load(result.cell) is None
    store.save(result.cell, result)
    assert store.load(result.cell) == result
    assert list(store.results()) == [result]
    assert [path.name for path in store.folder.iterdir()] == [f"{result.cell.hash}.json"]


def test_a_truncated_file_is_named_and_counts_as_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store(tmp_path)
    whole, broken = make_result("value"), make_result("random")
    store.save(whole.cell, whole)
    store.save(broken.cell, broken)
    path = store.path(broken.cell)
    path.write_text(path.read_text()[:40])
    with caplog.at_level(logging.WARNING):
        assert store.load(broken.cell) is None
    assert path.name in caplog.text
    assert store.load(whole.cell) == whole
    assert list(store.results()) == [whole]


def test_results_of_another_version_are_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store, before = Store(tmp_path), make_result("value")
    store.save(before.cell, before)
    monkeypatch.setattr("numprobe.experiments.cell.VERSION", 0)
    now = replace(make_result("value"), scores=[2.0])
    store.save(now.cell, now)
    with caplog.at_level(logging.WARNING):
        assert list(store.results()) == [now]
    assert "left out 1 results of another version of numprobe" in caplog.text
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("settings", [{"version": 6, "recipe": {}}, {}])
def test_results_of_a_numprobe_without_versions_are_left_out_in_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, settings: dict[str, object]
) -> None:
    store, result = Store(tmp_path), make_result("value")
    store.save(result.cell, result)
    for name, protocol in (("a", "strict"), ("b", "paper")):  # whatever else is in them
        entry = result.as_dict() | {"settings": settings}
        del entry["more"]
        entry["cell"]["protocol"] = protocol
        (tmp_path / f"{name}.json").write_text(json.dumps(entry))
    with caplog.at_level(logging.WARNING):
        assert list(store.results()) == [result]
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path}: left out 2 results of another version of numprobe"
    ]


def test_a_part_with_another_recipe_gives_another_version_of_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store, value, lists = Store(tmp_path), make_result("value"), make_result("value", "list-maximum")
    for result in (value, lists):
        store.save(result.cell, result)
    monkeypatch.setattr(MLP, "recipe", replace(MLP.recipe, steps=64))
    with caplog.at_level(logging.WARNING):
        assert list(store.results()) == [lists]
    assert "left out 1 results of another version of numprobe" in caplog.text
    assert store.load(value.cell) is None  # so that a run measures it again
    assert store.load(lists.cell) == lists


def test_a_folder_that_can_not_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NumprobeError, match="can't write to the result store"):
        Store(tmp_path / "file").open()


def test_a_failed_write_leaves_the_old_result_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, result = Store(tmp_path), make_result()
    store.save(result.cell, result)

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(NumprobeError, match="No space left on device"):
        store.save(result.cell, result)
    assert store.load(result.cell) == result
    assert len(list(tmp_path.iterdir())) == 1


def test_foreign_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "list.json").write_text("[]")
    assert list(Store(tmp_path).results()) == []
    assert Store(tmp_path).load(Cell.make("value", "decoding", "0:99")) is None
    assert (tmp_path / "notes.txt").read_text() == "mine"
