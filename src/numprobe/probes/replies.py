"""Reading a number from what a language model said, and words for items. Strict: a reply that is no number is wrong."""

import re
import string
from collections.abc import Sequence

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import shortened

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""What the slots for single numbers are called."""

PATTERN = (
    r"^[^\w.,\-−–—‐%+/<>=]{0,3}?([-−]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,6})?)"
    r"[^\w\-−–—‐%€$£¥°+/<>=]{0,3}(?:$|(?<=[.,;!])\s+[A-Za-z(].*$)"
)
"""A number, perhaps in quotes or bold; after a full stop, comma or semicolon there may be words.

It is followed by no unit and no calculation. What has more digits is no answer to any question.
"""

_NUMBER = re.compile(PATTERN)


def read_number(reply: str) -> float | None:
    """The number that a reply is; None if it is anything else.

    >>> read_number("95."), read_number("**1,234**"), read_number("95, since 37 + 58 is that"), read_number("37 + 58")
    (95.0, 1234.0, 95.0, None)
    """
    found = _NUMBER.match(reply.strip())
    return float(found[1].replace(",", "").replace("−", "-")) if found else None


def is_right(values: np.ndarray, truths: np.ndarray) -> np.ndarray:
    """Which values are exactly right; what differs less than a millionth is due to rounding, as in 0.1 + 0.2."""
    return np.asarray(np.abs(values - truths) < 1e-6)


def as_answer(value: float) -> str:
    """A value as a reply has it.

    >>> as_answer(95.0), as_answer(0.1 + 0.2)
    ('95', '0.3')
    """
    return np.format_float_positional(round(float(value), 6) + 0.0, trim="-")


def plain_text(text: str) -> str:
    """A text without case, hyphens between words and what stands around it, to compare words for numbers.

    >>> plain_text(" Seventy-five.")
    'seventy five'
    """
    return re.sub(r"\s+|(?<=[^\W\d])-(?=[^\W\d])", " ", text.casefold()).strip(" .,;!*\"'`")


def check_slots(template: str, arity: int) -> None:
    """Refuse a prompt that does not name each of an item's numbers.

    >>> check_slots("{first} + {second} =", 2)
    """
    known = {"numbers"} if arity > 1 else {"number", "numbers"}
    known |= set(PLACES[:arity])
    try:
        named = {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}
    except ValueError as error:
        raise NumprobeError(f"the prompt {shortened(template)} can't be read: {error}") from None
    wrong = sorted(named - known)
    if wrong:
        slots = ", ".join(f"{{{name}}}" for name in sorted(known))
        raise NumprobeError(f"the prompt {shortened(template)} has no number for {{{wrong[0]}}}: its slots are {slots}")
    lacking = [f"{{{name}}}" for name in (*PLACES[:arity], *["numbers"] * (arity > len(PLACES))) if name not in named]
    if lacking and not named & {"number", "numbers"}:
        whole = "{number}" if arity == 1 else "{numbers}"
        raise NumprobeError(f"the prompt {shortened(template)} lacks {' and '.join(lacking)}: name them, or {whole}")


def filled(template: str, words: Sequence[str]) -> str:
    """A prompt with an item's numbers in its slots.

    >>> filled("max({numbers}) =", ["3", "17"])
    'max(3, 17) ='
    """
    return with_places(template, words)[0]


def with_places(template: str, words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The same, and where each number stands in it; where it stands twice, the second place.

    >>> with_places("max({numbers}) =", ["3", "17"])
    ('max(3, 17) =', [(4, 5), (7, 9)])
    """
    text = ""
    spans = [(0, 0)] * len(words)
    for literal, name, _, _ in string.Formatter().parse(template):
        text += literal
        if name is None:
            continue
        named = range(len(words)) if name in ("number", "numbers") else [PLACES.index(name)]
        for at in named:
            text += ", " if at != named[0] else ""
            spans[at] = (len(text), len(text) + len(words[at]))
            text += words[at]
    return text, spans
