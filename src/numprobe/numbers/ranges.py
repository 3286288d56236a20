"""Ranges of numbers, with both ends included: [0, 99], [-50, 50], [0.0, 99.9]."""

import re
from dataclasses import dataclass

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import shortened

LIMIT = 1_000_000
"""The most numbers that a range may hold. A larger one is a typo, or does not fit into memory."""

_END = r"\s*([+-]?\d{1,15}(?:\.\d)?)\s*"
_RANGE = re.compile(rf"{_END}:{_END}", re.ASCII)


@dataclass(frozen=True, order=True)
class Range:
    """All numbers from `low` to `high` with `decimals` digits after the point (0 or 1).

    Both ends count units of the last digit, so every number is exact.

    >>> Range.parse("0:99")
    Range(low=0, high=99, decimals=0)
    >>> Range.parse("0.0:99.9").size, str(Range.parse("-500:500"))
    (1000, '-500:500')
    """

    low: int
    high: int
    decimals: int = 0

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise NumprobeError(f"range {self} is reversed: write {self._text(self.high)}:{self._text(self.low)}")
        if self.size > LIMIT:
            raise NumprobeError(f"range {self} holds {self.size:,} numbers; the most is {LIMIT:,}")

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Read `LOW:HIGH`. Both ends are included; a decimal on either makes it a range of floats."""
        match = _RANGE.fullmatch(text)
        if match is None:
            raise NumprobeError(f"range {shortened(text)} is not LOW:HIGH, such as 0:99, -50:50 or 0.0:99.9")
        decimals = int("." in text)
        low, high = (int(end.replace(".", "")) * 10 ** (decimals - ("." in end)) for end in match.groups())
        return cls(low, high, decimals)

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def values(self) -> np.ndarray:
        """List every number of the range in increasing order.

        >>> Range.parse("0.0:0.3").values().tolist()
        [0.0, 0.1, 0.2, 0.3]
        """
        return np.asarray(np.arange(self.low, self.high + 1) / 10**self.decimals)

    def overlaps(self, other: "Range") -> bool:
        mine, theirs = int(10**self.decimals), int(10**other.decimals)
        return self.low * theirs <= other.high * mine and other.low * mine <= self.high * theirs

    def contains(self, other: "Range") -> bool:
        """
        >>> Range.parse("-20:20").contains(Range.parse("-5:5"))
        True
        """
        mine, theirs = int(10**self.decimals), int(10**other.decimals)
        return self.low * theirs <= other.low * mine and other.high * mine <= self.high * theirs

    @property
    def label(self) -> str:
        """The range as the paper writes it.

        >>> Range.parse("0.0:99.9").label
        '[0.0,99.9]'
        """
        return f"[{self._text(self.low)},{self._text(self.high)}]"

    def _text(self, end: int) -> str:
        return f"{end / 10**self.decimals:.{self.decimals}f}"

    def __str__(self) -> str:
        return f"{self._text(self.low)}:{self._text(self.high)}"


def integer_parts(values: np.ndarray) -> np.ndarray:
    """Number the integer part of each float: 0 for 0.x, 1 for 1.x and so on; -1 for -0.x, -2 for -1.x and so on.

    So -1.0 goes with -1.9, and -0.1 goes with -0.9 but not with 0.9.

    >>> integer_parts(np.array([-1.9, -1.0, -0.9, -0.1, 0.0, 0.9, 1.0])).tolist()
    [-2.0, -2.0, -1.0, -1.0, 0.0, 0.0, 1.0]
    """
    return np.asarray(np.where(values < 0, np.ceil(values) - 1, np.floor(values)))
