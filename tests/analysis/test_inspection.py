import numpy as np
import pytest

from numprobe.analysis import inspect, inspection
from numprobe.embedders import FunctionEmbedder


def planted(texts: list[str]) -> np.ndarray:
    """Random vectors, where 7 is far out along dimension 3, and 4 and 5 have the same vector."""
    vectors = np.random.default_rng(0).normal(size=(len(texts), 20))
    vectors[7, 3] = 1e6
    vectors[4] = vectors[5]
    return vectors


def test_norms_outliers_and_identical_vectors_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "load_embedder", lambda name: FunctionEmbedder(planted))
    found = inspect("mine", "0:99")
    assert found.norms.number == "7"
    assert found.norms.largest == pytest.approx(1e6)
    assert found.norms.median == pytest.approx(20**0.5, rel=0.1)
    assert list(found.outliers) == [3]
    assert found.outliers[3] == pytest.approx(1e5, rel=0.2)  # a deviation of 1e6 · √(0.01 · 0.99) beside one of 1
    assert found.identical == 2
    shown = str(found)
    assert "largest 1e+06 (of 7)" in shown
    assert "dimension 3 varies" in shown
    assert "2 numbers share their vector with another one" in shown


def test_nothing_is_said_where_there_is_nothing_unusual() -> None:
    found = inspect("random", "0:99")
    assert found.outliers == {}
    assert found.identical == 0
    assert "outliers" not in str(found)
    assert "identical" not in str(found)
