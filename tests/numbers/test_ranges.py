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
        ("0:1.25", "is not LOW:HIGH"),
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
