"""How a number is written: digits, words, floats, negatives."""

import re
from collections.abc import Callable

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers.ranges import Range


def _digits(value: float) -> str:
    return str(int(value))


def _words(value: float) -> str:
    from num2words import num2words

    return str(num2words(int(value)))


FORMS: dict[str, Callable[[float], str]] = {
    "digits": _digits,
    "words": _words,
    "floats": lambda value: f"{value:.1f}",
    "negatives": _digits,
}
"""Form name -> how it writes one value: 75, seventy-five, 75.1, -75."""


def natural_form(numbers: Range) -> str:
    """The form a range has if none is asked for.

    >>> [natural_form(Range.parse(text)) for text in ("0:99", "-50:50", "0.0:99.9")]
    ['digits', 'negatives', 'floats']
    """
    return "floats" if numbers.decimals else "negatives" if numbers.low < 0 else "digits"


def check_form(form: str, numbers: Range) -> None:
    """Refuse a form that can't write the numbers of a range."""
    if numbers.decimals and form != "floats":
        raise NumprobeError(f"form '{form}' writes whole numbers; range {numbers} has decimals: use form 'floats'")
    if form == "floats" and not numbers.decimals:
        raise NumprobeError(f"form 'floats' needs a range with one decimal, such as {numbers.low}.0:{numbers.high}.9")
    if form == "floats" and (numbers.low % 10 or numbers.high % 10 != 9):
        raise NumprobeError(f"range {numbers} cuts an integer in two: floats run from n.0 to m.9, such as 0.0:99.9")
    if form == "negatives" and numbers.low >= 0:
        raise NumprobeError(f"form 'negatives' needs a range that goes below zero; {numbers} does not")


def write(values: np.ndarray, form: str) -> list[str]:
    """The text of each value.

    >>> write(np.array([-7, 75]), "words")
    ['minus seven', 'seventy-five']
    >>> write(np.array([75.1]), "floats")
    ['75.1']
    """
    return [FORMS[form](value) for value in values.tolist()]


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = {word: n for n, word in enumerate(_SMALL)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}


def read(text: str) -> float:
    """The value of a number in any form; the inverse of `write`.

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
