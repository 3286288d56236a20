import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, generator, integer_parts, interpolation
from numprobe.tasks import Pool
from numprobe.tasks.list_maximum import SAMPLERS, ListMaximum
from numprobe.tasks.sampling import race, without_replacement


def pool(text: str, part: str = "train", seed: int = 0) -> Pool:
    numbers = Range.parse(text)
    values = numbers.values()
    size = round(numbers.size / 10**numbers.decimals)
    return Pool(values[getattr(interpolation(values, seed), part)], size, numbers.decimals)


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["0:99", "-50:50", "0:999", "0.0:99.9", "-49.9:49.9", "0:79"]),
    st.sampled_from(SAMPLERS),
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


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_maximum_is_equally_likely_in_every_position(sampler: str) -> None:
    targets = ListMaximum(sampler=sampler).draw(pool("0:999"), "train", generator(0)).targets
    assert np.abs(np.bincount(targets) / len(targets) - 0.2).max() < 0.01


def test_the_sampler_of_the_appendix_draws_until_five_values_are_distinct() -> None:
    """Against the loop that the paper describes: frequencies of numbers near one anchor's value."""
    drawn_from = pool("0:99")
    task = ListMaximum(sampler="appendix", train_lists=6_000)
    fast = drawn_from.values[task.draw(drawn_from, "train", generator(0)).numbers]
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
    lists = drawn_from.values[ListMaximum().draw(drawn_from, "train", generator(0)).numbers]
    close = np.ptp(lists, axis=1) < 40
    assert 0.45 < close.mean() < 0.6
    assert lists.max() < drawn_from.values[-1]  # as in the released code, the largest number never comes up


def test_uniform_lists_are_any_five_numbers_of_the_pool() -> None:
    lists = ListMaximum(sampler="uniform").draw(Pool(np.arange(7.0), 7), "train", generator(0)).numbers
    sets = Counter(map(tuple, np.sort(lists, axis=1).tolist()))
    assert len(sets) == 21  # ways to take five of seven
    assert max(abs(count / len(lists) - 1 / 21) for count in sets.values()) < 0.004


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(("numbers", "part"), [("0.0:99.9", "test"), ("-9.9:9.9", "train"), ("-30.9:-0.1", "train")])
def test_half_of_the_float_lists_share_their_integer(sampler: str, numbers: str, part: str) -> None:
    drawn_from = pool(numbers, part)
    values = drawn_from.values[ListMaximum(sampler=sampler).draw(drawn_from, "test", generator(0)).numbers]
    assert (np.diff(np.sort(values, axis=1), axis=1) > 0).all()
    integers = integer_parts(values)
    shared = (integers == integers[:, :1]).all(axis=1)
    assert abs(shared.mean() - 0.5) < 0.02
    assert (np.diff(np.sort(integers[~shared], axis=1), axis=1) > 0).all()
    assert np.unique(values[shared]).tolist() == drawn_from.values.tolist()


def test_distinct_integers_stay_below_their_own_size() -> None:
    sizes = np.repeat([5, 9, 10], 1000)
    drawn = np.sort(without_replacement(sizes, 5, generator(0)), axis=1)
    assert (np.diff(drawn, axis=1) > 0).all()
    assert [set(drawn[sizes == size].ravel().tolist()) for size in (5, 9, 10)] == [
        set(range(5)),
        set(range(9)),
        set(range(10)),
    ]


def test_race_draws_by_weight_without_replacement() -> None:
    weights = np.log(np.array([[0.7, 0.2, 0.1]], dtype=np.float32))
    first = Counter(race(weights, np.zeros(30_000, int), 1, generator(0))[:, 0].tolist())
    assert [round(first[column] / 30_000, 1) for column in range(3)] == [0.7, 0.2, 0.1]


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_hundred_thousand_lists_are_drawn_at_once(sampler: str) -> None:
    """No time is asserted; a loop over lists would make this test take minutes."""
    start = time.perf_counter()
    assert len(ListMaximum(sampler=sampler).draw(pool("0:9999"), "train", generator(0)).numbers) == 100_000
    print(f"100,000 lists in {time.perf_counter() - start:.2f} s")


def test_bad_settings() -> None:
    with pytest.raises(NumprobeError, match="did you mean 'released'"):
        ListMaximum(sampler="release")
    with pytest.raises(NumprobeError, match="train_lists must be at least 1"):
        ListMaximum(train_lists=0)


def test_small_pools_are_refused() -> None:
    tiny = Pool(np.arange(4.0), 100)
    assert "need 5 different integers" in str(ListMaximum().needs(tiny))
    small = Pool(np.arange(11.0), 100)
    assert str(ListMaximum().needs(small)).endswith("there are 11; use list-maximum:sampler=appendix")
    assert ListMaximum(sampler="appendix").needs(small) is None
    assert ListMaximum().needs(Pool(np.arange(12.0), 100)) is None


def test_variants_are_named() -> None:
    assert [ListMaximum(sampler=sampler).variant for sampler in SAMPLERS] == ["", "appendix lists", "uniform lists"]
