"""What a form is: it writes numbers, reads back what it wrote, and says which numbers it can write."""

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from numprobe.errors import NumprobeError
from numprobe.numbers.ranges import LARGEST, MOST_DECIMALS, Range
from numprobe.registry import text_of


class Limits(NamedTuple):
    """The numbers that a form can write.

    >>> from numprobe.numbers import FORMS
    >>> limits = FORMS.build("roman").limits
    >>> limits.least, limits.most
    (1, 3999)
    """

    least: int = -LARGEST
    most: int = LARGEST
    decimals: int = MOST_DECIMALS


class Form:
    """A way to write numbers. Subclass it, give it a `name`, and define `write`.

    >>> import numprobe
    >>> class Hexadecimal(Form):
    ...     name = "hexadecimal"
    ...     def write(self, value):
    ...         return f"{int(value):x}"
    ...     def read(self, text):
    ...         return int(text, 16)
    >>> result = numprobe.probe("length", numbers="0:99", form=Hexadecimal(), probe="linear")[0]
    >>> result.cell.where
    '[0,99] as hexadecimal'
    """

    name: ClassVar[str]

    @property
    def label(self) -> str:
        """What follows the range in a table, as in `[0,50] in words`; ` as NAME` unless the form says otherwise."""
        return f" as {text_of(self)}"

    @property
    def limits(self) -> Limits:
        return Limits()

    def write(self, value: float) -> str:
        """Write one number."""
        raise NotImplementedError

    def read(self, text: str) -> float:
        """Read one number: the inverse of `write`."""
        return read(text)

    def problem(self, ranges: Sequence[Range]) -> str | None:
        """Say why this form can't write the numbers of these ranges, or None if it can."""
        least, most, decimals = self.limits
        for numbers in ranges:
            if numbers.decimals > decimals:
                writes = f"at most {decimals} decimals" if decimals else "whole numbers"
                has = f"{numbers.decimals}" if decimals else f"decimals: use form '{natural_name(numbers)}'"
                return f"form '{self.name}' writes {writes}; range {numbers} has {has}"
            unit = 10**numbers.decimals
            if numbers.low < least * unit or numbers.high > most * unit:
                return f"form '{self.name}' writes numbers from {least} to {most}; range {numbers} has others"
        return None


def natural_name(numbers: Range) -> str:
    """The form that a range with decimals has unless another is asked for."""
    return "floats" if numbers.decimals == 1 else f"decimals:places={numbers.decimals}"


def shortest(value: float) -> str:
    """The fewest digits that tell a number from its neighbours, without an exponent.

    >>> shortest(75.0), shortest(0.00001), shortest(-3.25)
    ('75', '0.00001', '-3.25')
    """
    text = f"{value:.{MOST_DECIMALS + 9}f}" if 0 < abs(value) < 1e-4 else repr(float(value))
    return f"{int(value)}" if value == int(value) else text.rstrip("0") if "." in text else text


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_DIGITS = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15}


def read(text: str) -> float:
    """Read a number in digits or English words: the inverse of `write`.

    >>> read("seventy-five"), read("-75"), read("75.1"), read("minus one hundred and two")
    (75.0, -75.0, 75.1, -102.0)
    """
    if _DIGITS.fullmatch(text):
        return float(text)
    words = re.findall(r"[a-z]+", text.lower())
    sign = -1.0 if words[:1] == ["minus"] else 1.0
    total = group = 0
    for word in words[sign < 0 :]:
        if word in _UNITS:
            group += _UNITS[word]
        elif word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
        elif word != "and":
            raise not_a_number(text)
    if not words or words == ["minus"]:
        raise not_a_number(text)
    return sign * (total + group)


def not_a_number(text: str) -> NumprobeError:
    return NumprobeError(f"{text!r} is not a number")


def read_digits(text: str, whole: str) -> float:
    """Read what is left of a text when its signs are taken off."""
    if not _DIGITS.fullmatch(text):
        raise not_a_number(whole)
    return float(text)
