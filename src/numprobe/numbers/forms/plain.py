"""The paper's forms of digits: whole numbers, floats, negatives; and any number of decimals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import at_least, at_most
from numprobe.numbers.forms.base import Form, Limits, natural_name
from numprobe.numbers.ranges import MOST_DECIMALS, Range, integer_parts


@dataclass(frozen=True)
class Digits(Form):
    """Whole numbers in digits: 75."""

    name: ClassVar[str] = "digits"

    @property
    def label(self) -> str:
        return ""

    @property
    def limits(self) -> Limits:
        return Limits(decimals=0)

    def write(self, value: float) -> str:
        return str(int(value))


@dataclass(frozen=True)
class Negatives(Digits):
    """Whole numbers in digits, some of them below zero: -75."""

    name: ClassVar[str] = "negatives"

    def problem(self, ranges: Sequence[Range]) -> str | None:
        lowest = min(ranges)
        if lowest.low >= 0:
            return f"form 'negatives' needs a range that goes below zero; {lowest} does not"
        return super().problem(ranges)


@dataclass(frozen=True)
class Floats(Form):
    """Numbers with one decimal: 75.1."""

    name: ClassVar[str] = "floats"

    @property
    def label(self) -> str:
        return ""

    @property
    def limits(self) -> Limits:
        return Limits(decimals=1)

    def write(self, value: float) -> str:
        return f"{value:.1f}"

    def problem(self, ranges: Sequence[Range]) -> str | None:
        for numbers in ranges:
            low, high = numbers.low, numbers.high
            if not numbers.decimals:
                whole = f"{low}.{9 if low < 0 else 0}:{high}.{0 if high < 0 else 9}"
                return f"form 'floats' needs a range with one decimal, such as {whole}"
            if numbers.decimals > 1:
                return f"form 'floats' writes one decimal; for range {numbers} use form '{natural_name(numbers)}'"
        return cut_integers(ranges)


@dataclass(frozen=True)
class Decimals(Form):
    """Numbers with a fixed count of decimals: 75.10."""

    name: ClassVar[str] = "decimals"

    places: int = 2

    def __post_init__(self) -> None:
        at_least(1, places=self.places)
        at_most(MOST_DECIMALS, places=self.places)

    @property
    def limits(self) -> Limits:
        return Limits(decimals=self.places)

    def write(self, value: float) -> str:
        return f"{value:.{self.places}f}"

    def problem(self, ranges: Sequence[Range]) -> str | None:
        return super().problem(ranges) or cut_integers(ranges)


def cut_integers(ranges: Sequence[Range]) -> str | None:
    """Say which range holds some decimals of an integer and not the others: splits and lists need them all."""
    for numbers in ranges:
        ends = np.array([numbers.low - 1, numbers.low, numbers.high, numbers.high + 1])
        below, first, last, above = integer_parts(ends / 10**numbers.decimals)
        if numbers.decimals and (below == first or last == above):
            example = f"0.{'0' * numbers.decimals}:9.{'9' * numbers.decimals}"
            return f"range {numbers} cuts an integer in two: take all its decimals, as {example} does"
    return None
