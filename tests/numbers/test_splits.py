from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.numbers import FOLDS, Range, Split, extrapolation, integer_parts, interpolation


@given(st.integers(-50, 50), st.integers(5, 300), st.sampled_from([0, 1]), st.integers(0, 9))
def test_a_split_partitions_and_holds_numbers_out_whole(low: int, size: int, decimals: int, seed: int) -> None:
    values = np.arange(low, low + size)
    if decimals:
        values = Range((low - 1) * 10, (low + size) * 10, 1).values()
        values = values[np.isin(integer_parts(values), np.arange(low, low + size))]
    split = interpolation(values, seed)
    assert sorted(np.concatenate((split.train, split.test)).tolist()) == list(range(len(values)))
    assert np.union1d(split.fit, split.development).tolist() == split.train.tolist()
    assert not np.intersect1d(split.fit, split.development).size
    wholes = integer_parts(values)
    for one, other in ((split.train, split.test), (split.fit, split.development)):
        assert not np.intersect1d(wholes[one], wholes[other]).size
    assert len(np.unique(wholes[split.train])) == int(0.8 * size)


def test_shuffles_differ_between_seeds_and_agree_for_one_seed() -> None:
    values = np.arange(1000)
    assert (interpolation(values, 3).test == interpolation(values, 3).test).all()
    assert (interpolation(values, 3).test != interpolation(values, 4).test).any()


def test_the_shuffle_is_the_same_on_every_machine() -> None:
    assert interpolation(np.arange(20), seed=0).test.tolist() == [12, 15, 17, 19]


def test_extrapolation_trains_on_all_of_one_range() -> None:
    split = extrapolation(np.arange(151), seed=0).among(np.arange(161) < 151)
    assert split.train.tolist() == list(range(151))
    assert split.test.tolist() == list(range(151, 161))
    assert len(split.development) == 30


@given(st.integers(5, 60), st.integers(0, 30), st.integers(0, 30), st.integers(0, 4))
def test_more_numbers_all_test_and_change_nothing_else(size: int, below: int, above: int, seed: int) -> None:
    values = np.arange(-below, size + above)
    alone, among = (
        interpolation(np.arange(size), seed),
        interpolation(np.arange(size), seed).among((values >= 0) & (values < size)),
    )
    assert values[among.train].tolist() == alone.train.tolist()
    assert values[among.fit].tolist() == alone.fit.tolist()
    assert sorted({*values[among.test].tolist()} - {*alone.test.tolist()}) == [
        *range(-below, 0),
        *range(size, size + above),
    ]
    assert (np.diff(values[among.test]) > 0).all()


@pytest.mark.parametrize("split", [interpolation, extrapolation])
@pytest.mark.parametrize("count", [25, 83, 100])
def test_folds_share_the_test_numbers_and_take_turns_at_development(split: Callable[..., Split], count: int) -> None:
    folds = [split(np.arange(count), 3, fold) for fold in range(FOLDS)]
    seen = np.concatenate([fold.development for fold in folds])
    assert len(np.unique(seen)) == len(seen) == FOLDS * (len(folds[0].train) // FOLDS)
    for fold in folds:
        assert (fold.train == folds[0].train).all()
        assert (fold.test == folds[0].test).all()
        assert (np.union1d(fold.fit, fold.development) == fold.train).all()
        assert not np.intersect1d(fold.fit, fold.development).size
