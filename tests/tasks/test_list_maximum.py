import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, generator, interpolation
from numprobe.tasks import Pool
from numprobe.tasks.list_maximum import ListMaximum
from numprobe.tasks.sampling import race


def pool(text: str, part: str = "train", seed: int = 0) -> Pool:
    numbers = Range.parse(text)
    values = numbers.values()
    size = numbers.size // 10**numbers.decimals
    return Pool(values[getattr(interpolation(values, seed), part)], size, numbers.decimals)


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["0:99", "-50:50", "0:999", "0.0:99.9", "0:79"]),
    st.sampled_from(["paper", "released"]),
    st.sampled_from(["train", "test"]),
    st.integers(0, 100),
)
def test_lists_are_distinct_and_the_target_is_the_maximum(numbers: str, sampler: str, part: str, seed: int) -> None:
    drawn_from = pool(numbers, part, seed)
    items = ListMaximum(sampler=sampler, train_lists=300, test_lists=300).draw(drawn_from, "test", generator(seed))
    lists = drawn_from.values[items.numbers]
    assert lists.shape == (300, 5)
    assert (np.diff(np.sort(lists, axis=1), axis=1) > 0).all()
    assert (lists[np.arange(300), items.targets] == lists.max(axis=1)).all()


@pytest.mark.parametrize("sampler", ["paper", "released"])
def test_the_maximum_is_equally_likely_in_every_position(sampler: str) -> None:
    targets = ListMaximum(sampler=sampler).draw(pool("0:999"), "train", generator(0)).targets
    assert np.abs(np.bincount(targets) / len(targets) - 0.2).max() < 0.01


def test_the_papers_sampler_draws_until_five_values_are_distinct() -> None:
    """Against the loop that the paper describes: frequencies of numbers near one anchor's value."""
    drawn_from = pool("0:99")
    fast = drawn_from.values[ListMaximum(train_lists=6_000).draw(drawn_from, "train", generator(0)).numbers]
    rng = np.random.default_rng(0)
    slow = []
    for _ in range(6_000):
        anchor = rng.choice(drawn_from.values)
        chosen: set[float] = set()
        while len(chosen) < 5:
            noisy = anchor + rng.normal(0, 1.0)  # variance 0.01 × 100
            chosen.add(drawn_from.values[np.abs(drawn_from.values - noisy).argmin()])
        slow.append(sorted(chosen))
    spreads = [Counter(np.ptp(np.array(lists), axis=1).tolist()) for lists in (fast, slow)]
    for spread in range(4, 9):
        assert abs(spreads[0][spread] - spreads[1][spread]) / 6_000 < 0.03
    assert abs(fast.mean() - np.mean(slow)) < 1.5


def test_the_released_sampler_keeps_half_of_the_lists_close() -> None:
    drawn_from = pool("0:999")
    lists = drawn_from.values[ListMaximum(sampler="released").draw(drawn_from, "train", generator(0)).numbers]
    close = np.ptp(lists, axis=1) < 40
    assert 0.45 < close.mean() < 0.6
    assert lists.max() < drawn_from.values[-1]  # as in the released code, the largest number never comes up


def test_half_of_the_float_lists_share_their_integer() -> None:
    drawn_from = pool("0.0:99.9", "test")
    items = ListMaximum().draw(drawn_from, "test", generator(0))
    integers = np.floor(drawn_from.values[items.numbers])
    shared = (integers == integers[:, :1]).all(axis=1)
    assert abs(shared.mean() - 0.5) < 0.02
    assert (np.diff(np.sort(integers[~shared], axis=1), axis=1) > 0).all()


def test_race_draws_by_weight_without_replacement() -> None:
    weights = np.log(np.array([[0.7, 0.2, 0.1]], dtype=np.float32))
    first = Counter(race(weights, np.zeros(30_000, int), 1, generator(0))[:, 0].tolist())
    assert [round(first[column] / 30_000, 1) for column in range(3)] == [0.7, 0.2, 0.1]


def test_a_hundred_thousand_lists_are_drawn_at_once() -> None:
    """No time is asserted; a loop over lists would make this test take minutes."""
    start = time.perf_counter()
    assert len(ListMaximum().draw(pool("0:9999"), "train", generator(0)).numbers) == 100_000
    print(f"100,000 lists in {time.perf_counter() - start:.2f} s")


def test_bad_settings() -> None:
    with pytest.raises(NumprobeError, match="did you mean 'paper'"):
        ListMaximum(sampler="papers")
    with pytest.raises(NumprobeError, match="train_lists must be at least 1"):
        ListMaximum(train_lists=0)


def test_small_pools_are_refused() -> None:
    tiny = Pool(np.arange(4.0), 100)
    assert "need 5 different integers" in str(ListMaximum().needs(tiny))
    assert "need 12 different integers" in str(ListMaximum(sampler="released").needs(tiny))
    assert ListMaximum().needs(Pool(np.arange(5.0), 100)) is None
