from dataclasses import replace
from pathlib import Path

import pytest

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


def test_published_results_are_small_whole_and_of_the_pages_suites(published: list[Result]) -> None:
    cells = {cell for name in PAGE_SUITES for cell in load_suite(name).cells}
    assert len({result.cell for result in published}) == len(published) > 0
    assert {result.cell for result in published} <= cells
    assert {len(result.scores) for result in published} == {5}
    assert len(archive.FILE.read_bytes()) < 5_000_000


def test_published_results_were_trained_as_they_would_be_now() -> None:
    for entry in archive.entries(archive.FILE.read_bytes()):
        assert Cell.make(**entry["cell"]).training() == entry["settings"], entry["cell"]


@pytest.mark.parametrize(
    ("embedder", "task", "numbers", "probe", "tolerance"),
    [
        ("random", "decoding", "0:50", "linear", 1e-3),
        ("random", "decoding", "-50:50", "linear", 1e-3),
        ("untrained-cnn", "decoding", "0:99", "mlp", 0.05),
        pytest.param("char-cnn", "decoding", "0:99", "mlp", 0.2, marks=pytest.mark.slow),
        pytest.param("value", "list-maximum", "0:99", "bilstm", 0.02, marks=pytest.mark.slow),
    ],
)
def test_a_change_that_alters_a_score_is_noticed(
    embedder: str, task: str, numbers: str, probe: str, tolerance: float, published: list[Result]
) -> None:
    """Training adds up rounding, which differs between processors: the tolerance is for that."""
    cell = Cell.make(embedder, task, numbers, probe=probe, missing="restrict")
    (kept,) = (result for result in published if result.cell == cell)
    assert run_cell(cell).scores == pytest.approx(kept.scores, rel=tolerance)
