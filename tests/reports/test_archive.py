from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import PAGE_SUITES, Store, load_suite
from numprobe.experiments.execute import execute
from numprobe.reports import archive, published_results
from tests.conftest import make_result


def test_results_survive_but_for_the_last_digits_of_predictions() -> None:
    results = [make_result(), make_result("value", "addition"), replace(make_result(), missing=[7.0])]
    back = archive.unpacked(archive.packed(results))
    assert [replace(result, predictions=None) for result in back] == [replace(r, predictions=None) for r in results]
    assert back[0].predictions is not None
    assert back[0].predictions[0] == pytest.approx(results[0].predictions[0], rel=1e-4)


def test_publishing_keeps_the_pages_cells_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FILE", tmp_path / "results.json.xz")
    store = Store(tmp_path / "store")
    with pytest.raises(NumprobeError, match="holds no results of the page's suites"):
        archive.publish(store)
    of_the_page = make_result("value", "decoding", "0:99", missing="restrict")
    for result in (of_the_page, make_result("value", "decoding", "0:77")):
        store.save(result.cell, result)
    assert archive.publish(store) == 1
    assert [result.cell for result in published_results()] == [of_the_page.cell]


def test_published_results_are_small_whole_and_of_the_pages_suites() -> None:
    results = published_results()
    cells = {cell for name in PAGE_SUITES for cell in load_suite(name).cells}
    assert len({result.cell for result in results}) == len(results) > 0
    assert {result.cell for result in results} <= cells
    assert {len(result.scores) for result in results} == {5}
    assert len(archive.FILE.read_bytes()) < 5_000_000


def test_a_change_that_alters_a_score_is_noticed() -> None:
    solved = [r for r in published_results() if r.cell.embedder == "random" and r.cell.probe == "linear"]
    assert solved
    for result in solved[:2]:
        assert execute(result.cell).scores == pytest.approx(result.scores, rel=1e-3)
