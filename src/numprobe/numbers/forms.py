"""How a number is written: digits, words, floats, negatives."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers.ranges import Range, integer_parts
from numprobe.registry import Registry, name_of


class Form:
    """A way to write numbers. Subclass it, give it a `name`, and define `write`."""

    name: ClassVar[str]
    label: ClassVar[str]
    """What follows the range in a table, as in `[0,50] in words`; ` as NAME` unless the class says otherwise."""

    def __init_subclass__(cls) -> None:
        if "label" not in cls.__dict__:
            cls.label = f" as {cls.name}"

    def write(self, value: float) -> str:
        """Write one number."""
        raise NotImplementedError

    def read(self, text: str) -> float:
        """Read one number: the inverse of `write`."""
        return read(text)

    def problem(self, ranges: Sequence[Range]) -> str | None:
        """Say why this form can't write the numbers of these ranges, or None if it can."""
        return None


@dataclass(frozen=True)
class Digits(Form):
    """Whole numbers in digits: 75."""

    name: ClassVar[str] = "digits"
    label: ClassVar[str] = ""

    def write(self, value: float) -> str:
        return str(int(value))

    def problem(self, ranges: Sequence[Range]) -> str | None:
        for numbers in ranges:
            if numbers.decimals:
                return f"form '{self.name}' writes whole numbers; range {numbers} has decimals: use form 'floats'"
        return None


@dataclass(frozen=True)
class Words(Digits):
    """Whole numbers in English words: seventy-five."""

    name: ClassVar[str] = "words"
    label: ClassVar[str] = " in words"

    def write(self, value: float) -> str:
        from num2words import num2words

        return str(num2words(int(value)))


@dataclass(frozen=True)
class Floats(Form):
    """Numbers with one decimal: 75.1."""

    name: ClassVar[str] = "floats"
    label: ClassVar[str] = ""

    def write(self, value: float) -> str:
        return f"{value:.1f}"

    def problem(self, ranges: Sequence[Range]) -> str | None:
        for numbers in ranges:
            low, high = numbers.low, numbers.high
            if not numbers.decimals:
                whole = f"{low}.{9 if low < 0 else 0}:{high}.{0 if high < 0 else 9}"
                return f"form 'floats' needs a range with one decimal, such as {whole}"
            below, first, last, above = integer_parts(np.array([low - 1, low, high, high + 1]) / 10)
            if below == first or last == above:
                return f"range {numbers} cuts an integer in two: take all its decimals, as 0.0:99.9 and -9.9:9.9 do"
        return None


@dataclass(frozen=True)
class Negatives(Digits):
    """Whole numbers in digits, some of them below zero: -75."""

    name: ClassVar[str] = "negatives"
    label: ClassVar[str] = ""

    def problem(self, ranges: Sequence[Range]) -> str | None:
        lowest = min(ranges)
        if lowest.low >= 0:
            return f"form 'negatives' needs a range that goes below zero; {lowest} does not"
        return super().problem(ranges)


FORMS: Registry[Form] = Registry(
    "form", "numprobe.numbers.forms", required=("name", "label", "write", "read", "problem")
)


def form_for(asked: "str | Form", ranges: Sequence[Range]) -> Form:
    """The form that is asked for, or the natural one of some ranges; refuse one that can't write their numbers.

    >>> [form_for("", [Range.parse(text)]).name for text in ("0:99", "-50:50", "0.0:99.9")]
    ['digits', 'negatives', 'floats']
    """
    lowest = min(ranges)
    form = FORMS.part(asked) if asked else Floats() if lowest.decimals else Digits()
    if form == Digits() and lowest.low < 0:
        form = Negatives()
    problem = form.problem(ranges)
    if problem:
        raise NumprobeError(problem)
    return form


def write(values: np.ndarray, form: Form) -> list[str]:
    """The text of each value.

    >>> write(np.array([-7, 75]), Words())
    ['minus seven', 'seventy-five']
    """
    texts = []
    for value in values.tolist():
        try:
            texts.append(form.write(value))
        except Exception as error:  # a form from elsewhere may raise anything
            raise NumprobeError(f"form '{name_of(form)}' can't write {value:g}: {error}") from error
    return texts


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}


def read(text: str) -> float:
    """Read a number in digits or English words: the inverse of `write`.

    >>> read("seventy-five"), read("-75"), read("75.1"), read("minus one hundred and two")
    (75.0, -75.0, 75.1, -102.0)
    """
    try:
        return float(text)
    except ValueError:
        pass
    words = re.findall(r"[a-z]+", text.lower())
    sign = -1.0 if words[:1] == ["minus"] else 1.0
    total = group = 0
    for word in words[sign < 0 :]:
        if word in _UNITS:
            group += _UNITS[word]
        elif word == "hundred":
            group *= 100
        elif word in _SCALES:
            total, group = total + group * _SCALES[word], 0
        elif word != "and":
            raise NumprobeError(f"{text!r} is not a number")
    if not words or words == ["minus"]:
        raise NumprobeError(f"{text!r} is not a number")
    return sign * (total + group)
