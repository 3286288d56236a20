"""Places in the order of a list, and subtraction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numprobe
from numprobe.errors import NumprobeError
from numprobe.numbers import generator
from numprobe.tasks import Pool
from numprobe.tasks.ordering import Ordering
from numprobe.tasks.subtraction import Subtraction


@settings(deadline=None)  # the first imports SciPy
@given(st.integers(2, 7), st.integers(0, 7), st.integers(0, 5))
def test_the_number_at_the_target_has_the_rank_that_is_asked_for(length: int, rank: int, seed: int) -> None:
    task = Ordering(length=length, rank=min(rank, length), test_lists=50)
    values = np.sort(generator(seed).choice(1000, 40, replace=False)).astype(float)
    items = task.draw(Pool(values, 1000), "test", generator(seed))
    lists = values[items.numbers]
    chosen = lists[np.arange(50), items.targets]
    assert lists.shape == (50, length)
    assert all(len(set(row)) == length for row in lists.tolist())
    assert ((lists < chosen[:, None]).sum(axis=1) == (task.rank or (length + 1) // 2) - 1).all()


def test_the_right_one_is_equally_often_at_every_place() -> None:
    items = Ordering(test_lists=10_000).draw(Pool(np.arange(100.0), 100), "test", generator(0))
    assert np.bincount(items.targets) == pytest.approx(np.full(5, 2000), rel=0.1)


@pytest.mark.slow
def test_a_probe_finds_the_least_from_the_value_and_not_from_nothing() -> None:
    task = Ordering(length=3, rank=1, train_lists=2_000, test_lists=500)
    value, nothing = (
        numprobe.probe(name, task=task, numbers="0:99", seeds=1).mean for name in ("value:scale=raw", "random")
    )
    assert value > 0.9
    assert nothing < 0.55


def test_subtraction_gives_the_first_less_the_second_for_all_pairs() -> None:
    values = np.array([3.0, 7.0, 20.0])
    items = Subtraction().draw(Pool(values, 10), "train", generator(0))
    pairs = values[items.numbers]
    assert len(np.unique(pairs, axis=0)) == 9
    assert (items.targets == pairs[:, 0] - pairs[:, 1]).all()


def test_bad_settings() -> None:
    with pytest.raises(NumprobeError, match="rank must lie between 1 and the length 3, not be 4"):
        Ordering(length=3, rank=4)
    with pytest.raises(NumprobeError, match="lists need 5 different numbers, and there are 3"):
        numprobe.probe("value", task="ordering", numbers="0:19")
