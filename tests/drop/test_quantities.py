from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.quantities import (
    LARGEST_QUANTITY,
    Amount,
    Quantity,
    has_unread_number,
    in_words,
    quantities,
    replaced,
    token_value,
    written,
)
from numprobe.errors import NumprobeError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("won 20-17 in the 2007–08 season", ["20", "17", "2007", "8"]),
        ("1,234,567 of $3.2 million, 12.50% and .5", ["1234567", "3200000", "12.50", "0.5"]),
        ("from -5 (−7.5) to 3", ["-5", "-7.5", "3"]),
        ("Twenty-one, two hundred and five, three thousand men", ["21", "205", "3000"]),
        ("five thousand, ten of whom", ["5000", "10"]),
        ("two and a half years", ["2.5"]),
        ("a one-yard run, one touchdown, the one-yard line", ["1", "1", "1"]),
        ("no one, one of them, the one, one another", []),
        ("the 1st, 22nd, third and twenty-first", []),
        ("the 1990s 49ers at 7:30 with 3/4 and two-thirds", []),
        ("On May 5, 1999 and 6 June 2000, in March 2001", ["1999", "2000", "2001"]),
        ("an F-16, a Su-25, Q1, #1 and Mart&#237;n", []),
        ("version 3.1.2 and 12,3456", []),
        ("five months and a 5-month break", ["5", "5"]),
    ],
)
def test_numbers_in_a_text(text: str, values: list[str]) -> None:
    found = quantities(text)
    assert [str(number.value) for number in found] == values
    assert all(text[number.start : number.end] == number.text for number in found)


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("1,234", 12_345, "12,345"),
        ("1234", 12_345, "12345"),
        ("1,234.50", Decimal("12345.50"), "12,345.50"),
        ("08", 9, "09"),
        ("Two", 21, "Twenty-one"),
        ("nineteen", 1900, "one thousand nine hundred"),
        ("two and a half", Decimal("7.5"), "7.5"),
        ("3.2 million", 6_400_000, "6.4 million"),
        ("3.2 million", 3_200_005, "3,200,005"),  # "3.2 million" would be less
        ("3 Million", 1_200_000_000, "1,200 Million"),
    ],
)
def test_a_value_is_written_in_the_style_of_another(text: str, value: Amount, expected: str) -> None:
    (number,) = quantities(text)
    assert written(value, number) == expected


def test_numbers_that_are_too_large() -> None:
    with pytest.raises(NumprobeError, match=r"'5' becomes 1,000,000,000,000,001"):
        written(LARGEST_QUANTITY + 1, Quantity(0, 1, "5", 5))
    with pytest.raises(NumprobeError, match="1,000,000,000,000 is too large to write in words"):
        in_words(10**12)


@given(st.integers(0, 10**12 - 1), st.sampled_from(["5", "5,000", "five"]))
def test_written_numbers_can_be_read_back(value: int, like: str) -> None:
    (number,) = quantities(like)
    (again,) = quantities(f"about {written(value, number)} people")
    assert again.value == value


@given(st.text(alphabet="0123456789,.-:/ aftwo&#;", max_size=40) | st.text())
def test_any_text_can_be_read(text: str) -> None:
    found = quantities(text)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert replaced(text, lambda number: number.text) == text
    has_unread_number(text)


@given(st.text())
def test_any_token_can_be_read(token: str) -> None:
    value = token_value(token)
    assert value is None or value >= 0
