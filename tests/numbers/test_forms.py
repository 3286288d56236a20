import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import FORMS, Form, Range, form_for, read, write


@given(st.integers(-2_000_000, 2_000_000))
def test_words_and_digits_read_back_to_their_value(value: int) -> None:
    for form in ("words", "digits"):
        assert read(write(np.array([value]), FORMS.build(form))[0]) == value


@given(st.integers(-99_999, 99_999))
def test_floats_read_back_to_their_value(tenths: int) -> None:
    assert read(write(np.array([tenths / 10]), FORMS.build("floats"))[0]) == tenths / 10


def test_the_papers_examples() -> None:
    examples = {
        "digits": (75.0, "75"),
        "words": (75.0, "seventy-five"),
        "floats": (75.1, "75.1"),
        "negatives": (-75, "-75"),
    }
    for name, (value, text) in examples.items():
        form = FORMS.build(name)
        assert write(np.array([value]), form) == [text]
        assert form.read(text) == value


@pytest.mark.parametrize("text", ["seventy-fife", "", "minus"])
def test_text_that_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(NumprobeError, match="is not a number"):
        read(text)


@pytest.mark.parametrize(
    ("form", "numbers", "message"),
    [
        ("words", "0.0:9.9", "has decimals: use form 'floats'"),
        ("floats", "0:99", "needs a range with one decimal, such as 0.0:99.9"),
        ("floats", "-5:-3", "such as -5.9:-3.0"),
        ("floats", "0.5:9.9", "cuts an integer in two"),
        ("floats", "-9.0:9.9", "cuts an integer in two"),
        ("floats", "-9.9:0.0", "cuts an integer in two"),
        ("negatives", "0:99", "goes below zero"),
    ],
)
def test_forms_that_cannot_write_a_range(form: str, numbers: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        form_for(form, [Range.parse(numbers)])


@pytest.mark.parametrize("numbers", ["0.0:9.9", "-9.9:9.9", "-9.9:-1.0", "-9.9:-0.1", "-0.9:0.9"])
def test_floats_hold_all_decimals_of_their_integers(numbers: str) -> None:
    assert form_for("", [Range.parse(numbers)]).name == "floats"


def test_a_form_that_fails_on_a_number_says_which() -> None:
    class Small(Form):
        name = "small"

        def write(self, value: float) -> str:
            return "abc"[int(value)]

    assert Small().label == " as small"
    with pytest.raises(NumprobeError, match="form 'small' can't write 3: string index out of range"):
        write(np.arange(5), Small())
