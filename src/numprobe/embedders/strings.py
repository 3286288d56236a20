"""What a number's text gives away without any model: baselines that a model's vectors have to beat."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from numprobe.errors import at_least, at_most
from numprobe.numbers import Range, generator, write
from numprobe.numbers.forms import FORMS

LONGEST = 32
"""Texts with more characters than this count as this long."""
DIGITS = "0123456789"
SYMBOLS = DIGITS + ".-"
LARGEST_ANCHOR = 12
"""Anchors have at most this many digits."""


def _one_hot(places: np.ndarray, size: int) -> np.ndarray:
    """One row per place, with a one there; a place beyond the size is a row of zeros."""
    return np.eye(size + 1, dtype=np.float32)[np.clip(places, 0, size), :size]


@dataclass(frozen=True)
class Length:
    """How long the text is: the count of its characters, and a one-hot of that count.

    >>> Length().encode(["7", "75"])[:, :4].tolist()
    [[1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 1.0]]
    """

    name: ClassVar[str] = "length"
    is_floor: ClassVar[bool] = True
    of_numbers: ClassVar[bool] = True

    def encode(self, texts: list[str]) -> np.ndarray:
        lengths = np.array([min(len(text), LONGEST) for text in texts])
        return np.column_stack((lengths.astype(np.float32), _one_hot(lengths, LONGEST + 1)))


@dataclass(frozen=True)
class FirstDigit(Length):
    """How long the text is, and a one-hot of its first digit; words have none."""

    name: ClassVar[str] = "first-digit"

    def encode(self, texts: list[str]) -> np.ndarray:
        first = [next((DIGITS.index(symbol) for symbol in text if symbol in DIGITS), len(DIGITS)) for text in texts]
        return np.column_stack((super().encode(texts), _one_hot(np.array(first), len(DIGITS))))


@dataclass(frozen=True)
class DigitOneHots(Length):
    """How long the text is, and a one-hot of the digit, point or sign at each place, counted from the right."""

    name: ClassVar[str] = "digit-one-hots"

    places: int = 16

    def __post_init__(self) -> None:
        at_least(1, places=self.places)
        at_most(LONGEST, places=self.places)

    def encode(self, texts: list[str]) -> np.ndarray:
        found = np.full((len(texts), self.places), len(SYMBOLS))
        for row, text in enumerate(texts):
            for place, symbol in enumerate(reversed(text[-self.places :])):
                found[row, place] = SYMBOLS.find(symbol) if symbol in SYMBOLS else len(SYMBOLS)
        return np.column_stack((super().encode(texts), _one_hot(found, len(SYMBOLS)).reshape(len(texts), -1)))


@dataclass(frozen=True)
class SignedDigits(DigitOneHots):
    """The vectors of digit-one-hots, negative where the text starts with a minus sign.

    A linear map can't read a sign and digits that stand next to each other: whether a 7 adds or takes away depends on
    the sign.

    >>> float(SignedDigits().encode(["-75"]).sum()), float(DigitOneHots().encode(["-75"]).sum())
    (-7.0, 7.0)
    """

    name: ClassVar[str] = "signed-digits"

    def encode(self, texts: list[str]) -> np.ndarray:
        signs = np.array([-1 if text.startswith("-") else 1 for text in texts], dtype=np.float32)
        return super().encode(texts) * signs[:, None]


@dataclass(frozen=True)
class EditDistance:
    """The edit distances of the text to those of some other numbers, in digits and in words."""

    name: ClassVar[str] = "edit-distance"
    is_floor: ClassVar[bool] = True
    of_numbers: ClassVar[bool] = True

    anchors: int = 100
    """How many numbers there are to compare with, of all sizes up to twelve digits."""

    def __post_init__(self) -> None:
        at_least(1, anchors=self.anchors)
        at_most(10_000, anchors=self.anchors)

    @cached_property
    def _anchors(self) -> list[str]:
        rng = generator(0, self.name)
        values = np.floor(10 ** rng.uniform(0, LARGEST_ANCHOR, size=self.anchors))
        return [text for form in ("digits", "words") for text in write(values, FORMS.build(form))]

    def encode(self, texts: list[str]) -> np.ndarray:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        return cdist(texts, self._anchors, scorer=Levenshtein.distance).astype(np.float32)


STRINGS = tuple(baseline.name for baseline in (Length, FirstDigit, DigitOneHots, EditDistance))
"""The string baselines by name."""
SIGNED_STRINGS = (*STRINGS, SignedDigits.name)
"""Those for numbers of which some are below 0."""


def strings_for(numbers: Iterable[Range]) -> tuple[str, ...]:
    """The string baselines by name that make sense for some numbers.

    >>> strings_for([Range.parse("-5:5")])[-1]
    'signed-digits'
    """
    return SIGNED_STRINGS if any(part.low < 0 for part in numbers) else STRINGS
