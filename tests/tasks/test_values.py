import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import generator
from numprobe.tasks import Pool
from numprobe.tasks.addition import Addition
from numprobe.tasks.decoding import Decoding


def test_decoding_asks_for_every_number_once() -> None:
    items = Decoding().draw(Pool(np.array([3.0, 7.0, 9.0]), 10), "train", generator(0))
    assert items.numbers.tolist() == [[0], [1], [2]]
    assert items.targets.tolist() == [3.0, 7.0, 9.0]


def test_addition_uses_all_ordered_pairs_of_small_ranges() -> None:
    items = Addition().draw(Pool(np.arange(80.0), 100), "train", generator(0))
    assert len({tuple(pair) for pair in items.numbers.tolist()}) == 80 * 80 == len(items.numbers)
    assert (items.targets == items.numbers.sum(axis=1)).all()


def test_addition_uses_a_tenth_of_the_pairs_of_large_ranges() -> None:
    items = Addition().draw(Pool(np.arange(800.0), 1000), "train", generator(0))
    codes = items.numbers[:, 0] * 800 + items.numbers[:, 1]
    assert len(np.unique(codes)) == len(codes) == 64_000
    assert abs(codes.mean() / 800**2 - 0.5) < 0.01


@given(st.integers(2, 60), st.floats(0.01, 1.0), st.integers(0, 5))
def test_the_share_of_pairs_is_exact_and_without_repeats(size: int, share: float, seed: int) -> None:
    items = Addition(pair_share=share).draw(Pool(np.arange(float(size)), 100), "train", generator(seed))
    assert len(np.unique(items.numbers, axis=0)) == len(items.numbers) == max(1, round(share * size**2))


def test_bad_settings_and_pools() -> None:
    with pytest.raises(NumprobeError, match="pair_share must lie between 0 and 1"):
        Addition(pair_share=1.5)
    assert "needs 2 numbers" in str(Decoding().needs(Pool(np.array([1.0]), 10)))
    assert Addition().needs(Pool(np.arange(2.0), 10)) is None
