"""Digits in groups of three: 1,234.5."""

from dataclasses import dataclass
from typing import ClassVar

from numprobe.errors import NumprobeError, one_of
from numprobe.numbers.forms.base import Form, read_digits, shortest

MARKS = {"comma": (",", "."), "point": (".", ","), "space": (" ", "."), "apostrophe": ("'", ".")}
"""What stands between the groups, and before the decimals."""


@dataclass(frozen=True)
class Separators(Form):
    """Digits in groups of three: 1,234.5; mark=point: 1.234,5; mark=space: 1 234.5."""

    name: ClassVar[str] = "separators"

    mark: str = "comma"

    def __post_init__(self) -> None:
        one_of("mark", self.mark, MARKS)

    def write(self, value: float) -> str:
        return grouped(shortest(value)).translate(dict(zip(map(ord, ",."), MARKS[self.mark], strict=True)))

    def read(self, text: str) -> float:
        between, before = MARKS[self.mark]
        return read_digits(text.replace(between, "").replace(before, "."), text)


def grouped(digits: str) -> str:
    """
    >>> grouped("-1234567.25")
    '-1,234,567.25'
    """
    whole, point, rest = digits.partition(".")
    try:
        return f"{int(whole):,}{point}{rest}" if not whole.startswith("-0") else digits
    except ValueError:
        raise NumprobeError(f"{digits!r} can't be grouped") from None
