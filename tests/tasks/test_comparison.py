"""Pairs at every ratio."""

import numpy as np
import pytest

import numprobe
from numprobe.numbers import generator
from numprobe.tasks import TASKS, Pool
from numprobe.tasks.comparison import Comparison


def drawn(values: np.ndarray, **settings: float) -> tuple[np.ndarray, np.ndarray]:
    items = Comparison(**settings).draw(Pool(values, len(values)), "test", generator(0, "pairs"))  # type: ignore[arg-type]
    return values[items.numbers], items.targets


def test_ratios_are_uniform_in_their_logarithm_and_no_pair_ties() -> None:
    pairs, targets = drawn(np.arange(1, 100_001, dtype=float), test_pairs=20_000)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert (pairs.argmax(axis=1) == targets).all()
    assert np.mean(targets) == pytest.approx(0.5, abs=0.02)
    middle = pairs[(pairs[:, 0] > 1000) & (pairs[:, 0] < 10_000)]  # where no end of the range is near
    ratios = np.abs(np.log10(middle[:, 0] / middle[:, 1]))
    assert np.histogram(ratios, bins=5, range=(0, 1))[0] == pytest.approx(np.full(5, len(ratios) / 5), rel=0.15)


@pytest.mark.parametrize("values", [np.array([0.0, 1.0]), np.array([-5.0, 0.0, 7.0]), np.arange(-50.0, 0)])
def test_small_and_negative_pools(values: np.ndarray) -> None:
    pairs, targets = drawn(values, test_pairs=500)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert (pairs.argmax(axis=1) == targets).all()


def test_value_solves_it_and_random_vectors_guess() -> None:
    quick = "comparison:train_pairs=2000,test_pairs=500"
    scores = {
        name: numprobe.probe(name, quick, "0:99", probe="bilstm:most_steps=100", seeds=2).mean
        for name in ("value", "shuffled:of=value")
    }
    assert scores["value"] > 0.95
    assert scores["shuffled:of=value"] == pytest.approx(0.5, abs=0.15)


def test_mistakes() -> None:
    for wrong in ("comparison:largest_ratio=1", "comparison:train_pairs=0"):
        with pytest.raises(numprobe.NumprobeError):
            TASKS.build(wrong)
