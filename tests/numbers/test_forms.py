import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import FORMS, Form, Range, form_for, generator, read, write
from numprobe.numbers.forms.words import languages

VARIANTS = {
    "digits": "75",
    "words": "seventy-five",
    "floats": "75.0",
    "negatives": "75",
    "decimals": "75.00",
    "decimals:places=4": "75.0000",
    "separators": "75",
    "separators:mark=point": "75",
    "separators:mark=space": "75",
    "separators:mark=apostrophe": "75",
    "scientific": "7.5e1",
    "scientific:style=power": "7.5 × 10^1",
    "percents": "75%",
    "percents:style=spaced": "75 %",
    "percents:style=word": "75 percent",
    "currency": "$75",
    "currency:sign=€": "€75",
    "currency:scale=thousand": "$0.075 thousand",
    "currency:scale=million": "$0.000075 million",
    "ordinals": "75th",
    "ordinals:style=spelled": "seventy-fifth",
    "roman": "LXXV",
    "years": "75",
    "years:style=spelled": "seventy-five",
    "years:style=era": "75 CE",
    "dates": "17 March 1970",
    "dates:style=american": "March 17, 1970",
    "dates:style=iso": "1970-03-17",
    "times": "01:15",
    "times:clock=12": "1:15 am",
    "units": "75 kg",
    "units:unit=square miles": "75 square miles",
}
"""Every form, with each of its styles, and how it writes 75."""

LANGUAGES = ("ar", "es", "fr", "he", "hu", "id", "ja", "pl", "pt_BR", "ru", "tr", "vi")


def drawn(form: Form, count: int = 1000) -> np.ndarray:
    """Numbers of all sizes that a form claims to write, with as many decimals as it claims."""
    least, most, decimals = form.limits
    unit = 10**decimals
    rng = generator(0, "forms", form.name)
    largest = min(max(-least, most) * unit, 10**15)
    values = rng.choice((-1, 1), count * 10) * np.floor(np.exp(rng.uniform(0, np.log(largest), count * 10)))
    values = np.concatenate(([least * unit, most * unit], values)) / unit
    return values[(values >= least) & (values <= most) & (np.abs(values) * unit <= 10**15)][:count]


def reads_back(form: Form) -> None:
    values = drawn(form)
    assert len(values) == 1000
    texts = write(values, form)
    wrong = [(value, text) for value, text in zip(values.tolist(), texts, strict=True) if form.read(text) != value]
    assert wrong == []
    assert len(set(texts)) == len(np.unique(values))


def test_every_form_has_its_variants_here() -> None:
    assert {name.partition(":")[0] for name in VARIANTS} == set(FORMS) - {"example-scientific"}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_form_reads_back_a_thousand_numbers_that_it_claims_to_write(name: str) -> None:
    form = FORMS.build(name)
    assert form.write(75) == VARIANTS[name]
    reads_back(form)


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_words_of_twelve_languages(language: str) -> None:
    reads_back(FORMS.build(f"words:language={language}"))


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted({*languages()} - {*LANGUAGES}))
def test_number_words_of_all_other_languages(language: str) -> None:
    reads_back(FORMS.build(f"words:language={language}"))


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("text", ["", "about seventy", "12:", "IIII", "$"])
def test_no_form_reads_what_it_does_not_write(name: str, text: str) -> None:
    with pytest.raises(NumprobeError, match="is not a number"):
        FORMS.build(name).read(text)


def test_numbers_as_people_write_them() -> None:
    for name, value, text in (
        ("separators", 1234567.5, "1,234,567.5"),
        ("separators", -0.5, "-0.5"),
        ("separators:mark=point", 1234.5, "1.234,5"),
        ("scientific", 0.000012, "1.2e-5"),
        ("currency", 1234.5, "$1,234.50"),
        ("currency", -75, "-$75"),
        ("currency:scale=million", 3_200_000, "$3.2 million"),
        ("ordinals", 3, "3rd"),
        ("ordinals:style=spelled", 3, "third"),
        ("years:style=spelled", 1985, "nineteen eighty-five"),
        ("dates", 5551, "14 March 1985"),
        ("times", 870, "14:30"),
        ("times:clock=12", 870, "2:30 pm"),
        ("words:language=fr", 90, "quatre-vingt-dix"),
    ):
        assert FORMS.build(name).write(value) == text
        assert FORMS.build(name).read(text) == value


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
        ("floats", "0.00:9.99", "use form 'decimals:places=2'"),
        ("decimals", "0.000:9.999", "writes at most 2 decimals; range 0.000:9.999 has 3"),
        ("decimals", "0.05:9.99", "cuts an integer in two"),
        ("roman", "0:99", "'roman' writes numbers from 1 to 3999; range 0:99 has others"),
        ("times", "0:9999", "writes numbers from 0 to 1439"),
        ("words:language=am", "0:1000", "from 0 to 999"),
        ("words:language=xx", "0:99", "language"),
        ("currency:scale=dozen", "0:99", "scale"),
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
