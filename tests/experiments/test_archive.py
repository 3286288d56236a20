import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.embedders import encoder, is_learned, pinned
from numprobe.embedders.baselines import RandomVectors
from numprobe.errors import NumprobeError
from numprobe.experiments import PAGE_SUITES, Cell, Result, Store, archive, load_suite
from numprobe.experiments.archive import published_results
from numprobe.experiments.laboratory import run_cell
from tests.conftest import make_result


def test_results_survive_but_for_the_last_digits_of_predictions() -> None:
    results = [make_result(), make_result("value", "addition"), replace(make_result(), missing=[7.0])]
    back = archive.unpack_results(archive.pack_results(results))
    assert [replace(result, predictions=None) for result in back] == [replace(r, predictions=None) for r in results]
    assert back[0].predictions is not None
    assert back[0].predictions[0] == pytest.approx(results[0].predictions[0], rel=1e-4)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A published file without any results."""
    file = tmp_path / "results.json.xz"
    file.write_bytes(archive.pack_results([]))
    monkeypatch.setattr(archive, "FILE", file)
    return file


def of_the_page(embedder: str = "random", numbers: str = "0:50") -> Result:
    return make_result(embedder, "decoding", numbers, probe="linear", missing="restrict")


def kept_in(folder: Path, *results: Result) -> Store:
    store = Store(folder)
    for result in results:
        store.save(result.cell, result)
    return store


def test_publishing_keeps_the_pages_cells_only(tmp_path: Path, file: Path) -> None:
    with pytest.raises(NumprobeError, match="holds no results of the page's suites"):
        archive.publish(Store(tmp_path / "store"))
    own = of_the_page()
    assert archive.publish(kept_in(tmp_path / "store", own, make_result("value", "decoding", "0:77"))) == 1
    assert [result.cell for result in published_results()] == [own.cell]


def test_publishing_adds_to_what_is_published(tmp_path: Path, file: Path) -> None:
    first, second = of_the_page(), of_the_page(numbers="0:999")
    assert archive.publish(kept_in(tmp_path / "one", first)) == 1
    assert archive.publish(kept_in(tmp_path / "two", second)) == 2
    assert {result.cell for result in published_results()} == {first.cell, second.cell}
    better = replace(first, scores=[0.125] * 5)
    assert archive.publish(kept_in(tmp_path / "three", better)) == 2
    assert {result.cell: result.scores for result in published_results()} == {
        first.cell: better.scores,
        second.cell: second.scores,
    }


def test_publishing_drops_what_would_be_measured_otherwise_now(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, value = of_the_page(), make_result("value", "decoding", "0:99", missing="restrict")
    assert archive.publish(kept_in(tmp_path / "store", random, value)) == 2
    monkeypatch.setattr(RandomVectors, "version", 2, raising=False)
    new = of_the_page(numbers="0:999")
    assert archive.publish(kept_in(tmp_path / "new", new)) == 2
    assert {result.cell for result in published_results()} == {value.cell, new.cell}


def test_a_file_of_an_older_numprobe_is_replaced(tmp_path: Path, file: Path) -> None:
    entry = {"cell": {"embedder": "gone"}, "scores": [1.0], "settings": {"version": 6, "recipe": {}}}
    file.write_bytes(lzma.compress(json.dumps(entry).encode()))
    assert archive.restore(Store(tmp_path / "store")) == 0
    assert archive.publish(kept_in(tmp_path / "store", of_the_page())) == 1
    assert len(published_results()) == 1


def test_what_is_published_can_be_restored(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = of_the_page(), of_the_page(numbers="-50:50")
    archive.publish(kept_in(tmp_path / "store", own, other))
    store = Store(tmp_path / "new")
    assert archive.restore(store) == 2
    for result in (own, other):
        back = store.load(result.cell)
        assert back
        assert (back.scores, back.made) == (result.scores, result.made)
    assert sorted(path.name for path in store.folder.iterdir()) == sorted(
        f"{result.cell.hash}.json" for result in (own, other)
    )
    monkeypatch.setattr(RandomVectors, "version", 2, raising=False)
    assert archive.restore(Store(tmp_path / "newer")) == 0


def test_published_results_are_small_whole_and_of_the_pages_suites(published: list[Result]) -> None:
    cells = {cell for name in PAGE_SUITES for cell in load_suite(name).cells}
    assert len({result.cell for result in published}) == len(published) > 0
    assert {result.cell for result in published} <= cells
    assert {len(result.scores) for result in published} == {5, 20}
    assert all(len(result.scores) == result.cell.seeds for result in published)
    assert len(archive.FILE.read_bytes()) < 5_000_000


def test_published_results_were_trained_as_they_would_be_now() -> None:
    for entry in archive.entries(archive.FILE.read_bytes()):
        assert Cell.make(**entry["cell"]).training() == entry["settings"], entry["cell"]


QUICK = {"linear": 1e-3, "mlp": 0.1}
"""Probes whose cells are run again, and the difference that is allowed.

Training adds up rounding, which differs between processors: the tolerance is for that.
"""


def again(published: list[Result]) -> list[Result]:
    """The published results that are measured again in seconds: the quickest of each probe."""
    least: dict[str, Result] = {}
    for result in sorted(published, key=lambda result: result.made["seconds"]):
        cell = result.cell
        quick = cell.probe.partition(":")[0] in QUICK and cell.task == "decoding" and cell.parts.numbers.size <= 101
        if quick and not is_learned(encoder(cell.parts.embedder)) and pinned(cell.parts.embedder) is None:
            least.setdefault(cell.probe, result)
    return list(least.values())


def test_a_change_that_alters_a_score_is_noticed(published: list[Result]) -> None:
    chosen = again(published)
    assert chosen, "no published cell can be measured again in seconds"
    for kept in chosen:
        assert run_cell(kept.cell).scores == pytest.approx(kept.scores, rel=QUICK[kept.cell.probe.partition(":")[0]]), (
            kept.cell
        )


@pytest.mark.slow
def test_a_change_that_alters_what_networks_learn_is_noticed(published: list[Result]) -> None:
    """The cheapest published cell of each probe whose embedder learns, or whose items are lists."""
    least: dict[tuple[str, bool], Result] = {}
    for result in sorted(published, key=lambda result: result.made["seconds"]):
        least.setdefault((result.cell.probe, is_learned(encoder(result.cell.parts.embedder))), result)
    for kept in least.values():
        assert run_cell(kept.cell).scores == pytest.approx(kept.scores, rel=0.2), kept.cell
