"""The 2×2 of two ways to answer, and its intervals."""

import numpy as np
import pytest

from numprobe.analysis.crossing import cross_table, crossed, share, weights


def test_the_four_cells_are_counted() -> None:
    knows, says = np.array([1, 1, 1, 0, 0], bool), np.array([1, 0, 0, 1, 0], bool)
    found = crossed(knows, says, np.arange(5)[:, None])
    assert {name: own.value for name, own in found.items()} == {
        "knows": 0.6,
        "says": 0.4,
        "both": 0.2,
        "only_knows": 0.4,
        "only_says": 0.2,
        "neither": 0.2,
    }
    assert all(0 <= own.low <= own.value <= own.high <= 1 for own in found.values())
    assert "only knows" in cross_table([("numbers, layer 3", found)])


def test_items_that_share_their_numbers_are_one_piece_of_evidence() -> None:
    rng = np.random.default_rng(0)
    right = rng.random(40) < 0.5  # of each number
    once = share(right, weights(np.arange(40)[:, None]))
    often = share(np.repeat(right, 25), weights(np.repeat(np.arange(40), 25)[:, None]))
    assert often.high - often.low == pytest.approx(once.high - once.low)


@pytest.mark.parametrize("arity", [1, 2, 5])
def test_intervals_cover_the_truth_as_often_as_they_say(arity: int) -> None:
    covered, widths = [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        known = rng.random(30)  # how well a number is known helps all its items
        numbers = np.stack([rng.permutation(30)[:arity] for _ in range(120)])
        hits = rng.random(120) < known[numbers].mean(axis=1)
        found = share(hits, weights(numbers, samples=200))
        covered.append(found.low <= 0.5 <= found.high)
        widths.append(found.high - found.low)
    assert 0.88 <= np.mean(covered) <= 1
    assert np.mean(widths) < 0.7


def test_a_number_that_stands_twice_in_an_item_counts_once() -> None:
    assert set(np.unique(weights(np.array([[4, 4], [5, 5]])))) <= {0, 1, 2}
