import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import Range, check_form, read, write


@given(st.integers(-2_000_000, 2_000_000))
def test_words_and_digits_read_back_to_their_value(value: int) -> None:
    for form in ("words", "digits"):
        assert read(write(np.array([value]), form)[0]) == value


@given(st.integers(-99_999, 99_999))
def test_floats_read_back_to_their_value(tenths: int) -> None:
    assert read(write(np.array([tenths / 10]), "floats")[0]) == tenths / 10


def test_the_papers_examples() -> None:
    assert write(np.array([75.0]), "digits") == ["75"]
    assert write(np.array([75.0]), "words") == ["seventy-five"]
    assert write(np.array([75.1]), "floats") == ["75.1"]
    assert write(np.array([-75.0]), "negatives") == ["-75"]


@pytest.mark.parametrize("text", ["seventy-fife", "", "minus"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NumprobeError, match="is not a number"):
        read(text)


@pytest.mark.parametrize(
    ("form", "numbers", "message"),
    [
        ("words", "0.0:9.9", "has decimals: use form 'floats'"),
        ("floats", "0:99", "needs a range with one decimal, such as 0.0:99.9"),
        ("floats", "0.5:9.9", "cuts an integer in two"),
        ("negatives", "0:99", "goes below zero"),
    ],
)
def test_forms_that_can_not_write_a_range(form: str, numbers: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        check_form(form, Range.parse(numbers))
