import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import Range


@given(st.integers(-10_000, 10_000), st.integers(0, 5_000), st.sampled_from([0, 1]))
def test_text_of_a_range_parses_back_to_it(low: int, more: int, decimals: int) -> None:
    numbers = Range(low, low + more, decimals)
    assert Range.parse(str(numbers)) == numbers
    values = numbers.values()
    assert len(values) == numbers.size == more + 1
    assert (values[1:] > values[:-1]).all()


@pytest.mark.parametrize(
    ("text", "low", "high"), [("0:99", 0, 99), ("-500:500", -500, 500), ("5:5", 5, 5), ("-0.5:0.5", -0.5, 0.5)]
)
def test_both_ends_are_included(text: str, low: float, high: float) -> None:
    values = Range.parse(text).values()
    assert (values[0], values[-1]) == (low, high)


def test_one_decimal_on_either_end_makes_floats() -> None:
    assert Range.parse("5:99.9") == Range(50, 999, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99:0", "reversed: write 0:99"),
        ("", "is not LOW:HIGH"),
        ("0-99", "is not LOW:HIGH"),
        ("0:1.2500001", "is not LOW:HIGH"),
        ("0.25:999999999999999.75", r"numbers go up to 10\^14"),
        ("0.25:1e3", "is not LOW:HIGH"),
        ("0:99999999999", "the most is 1,000,000"),
    ],
)
def test_bad_ranges_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message) as error:
        Range.parse(text)
    assert "\n" not in str(error.value)


def test_overlap() -> None:
    assert Range.parse("0:150").overlaps(Range.parse("150:160"))
    assert not Range.parse("0:150").overlaps(Range.parse("151:160"))
    assert Range.parse("0:10").overlaps(Range.parse("9.5:20.0"))


@pytest.mark.parametrize("text", ["10:999999999/digits/700", "1:1000000000000000/log/2000", "-99999:99999/value/500"])
def test_a_sample_is_always_the_same_without_duplicates_and_inside(text: str) -> None:
    sample = Range.parse(text)
    values = sample.values()
    assert str(sample) == text
    assert len(np.unique(values)) == len(values) == sample.size == sample.count
    assert (values == np.sort(values)).all()
    assert (values == np.round(values)).all()
    assert sample.low <= values[0]
    assert values[-1] <= sample.high
    assert (values == Range.parse(text).values()).all()


def test_what_samples_are_uniform_in() -> None:
    digits = [len(str(int(value))) for value in Range.parse("10:999999999/digits/700").values()]
    assert np.bincount(digits)[2:] == pytest.approx(np.full(8, 700 / 8), rel=0.35)
    logs = np.log10(Range.parse("1000:999999999999/log/9000").values())
    assert np.histogram(logs, bins=9, range=(3, 12))[0] == pytest.approx(np.full(9, 1000), rel=0.12)
    assert Range.parse("0:999999999999/value/9000").values().mean() == pytest.approx(5e11, rel=0.02)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0:99/log/10", "needs numbers of at least 1"),
        ("1:99/lg/10", "did you mean 'log'"),
        ("0.0:9.9/value/3", "has decimals"),
        ("1:99/log/99", "between 1 and 49 numbers"),
        ("0:99999999", "take a sample, such as 0:99999999/value/2000"),
        ("0:1000000000000001/value/10", "up to 10\\^15"),
        ("0:99/value", "is not LOW:HIGH"),
    ],
)
def test_mistakes_about_samples(text: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        Range.parse(text)
