"""Ranges of numbers, with both ends included: [0, 99], [-50, 50], [0.0, 99.9]; and samples of large ranges."""

import re
import zlib
from dataclasses import dataclass

import numpy as np

from numprobe.errors import NumprobeError, one_of
from numprobe.files.untrusted import shortened

LIMIT = 1_000_000
"""The most numbers that a range or a sample may hold. A larger one is a typo, or does not fit into memory."""

LARGEST = 10**15
"""The largest number. Double precision holds it, and its double, exactly."""

MOST_DECIMALS = 6
"""The most decimals of a number."""

SAMPLINGS = ("value", "log", "digits")
"""What a sample is uniform in: the value, its logarithm, or its number of digits and then the value among those."""

_END = rf"\s*([+-]?\d{{1,16}}(?:\.\d{{1,{MOST_DECIMALS}}})?)\s*"
_RANGE = re.compile(rf"{_END}:{_END}(?:/\s*([a-z]+)\s*/\s*(\d{{1,7}})\s*)?", re.ASCII)


def generator(seed: int, *purpose: str) -> np.random.Generator:
    """A random generator that depends on a seed and a purpose alone: the same on every machine.

    >>> bool(generator(0, "shuffle").integers(1000) == generator(0, "shuffle").integers(1000))
    True
    """
    return np.random.default_rng([seed, *(zlib.crc32(word.encode()) for word in purpose)])


@dataclass(frozen=True, order=True)
class Range:
    """All numbers from `low` to `high` with `decimals` digits after the point, or a sample of them.

    Both ends count units of the last digit, so every number is exact.

    >>> Range.parse("0.0:99.9").size, str(Range.parse("-500:500"))
    (1000, '-500:500')
    >>> Range.parse("10:999999999/digits/2000").label
    '[10,999999999] (2000 by digits)'
    """

    low: int
    high: int
    decimals: int = 0
    sampling: str = ""
    """What a sample is uniform in; empty for all numbers."""
    count: int = 0
    """How many numbers a sample holds."""

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise NumprobeError(f"range {self} is reversed: write {self._text(self.high)}:{self._text(self.low)}")
        if max(-self.low, self.high) > LARGEST * 10 ** min(self.decimals, 1):
            digits = 15 - max(self.decimals - 1, 0)
            raise NumprobeError(f"range {self} is too wide: numbers go up to 10^{digits}")
        if self.sampling:
            self._check_sample()
        elif self.size > LIMIT:
            raise NumprobeError(
                f"range {self} holds {self.size:,} numbers; the most is {LIMIT:,}: take a sample, such as "
                f"{self}/{'value' if self.low < 1 else 'log'}/2000"
            )

    def _check_sample(self) -> None:
        one_of("sampling", self.sampling, SAMPLINGS)
        if self.decimals:
            raise NumprobeError(f"a sample is of whole numbers, and range {self} has decimals")
        if self.sampling != "value" and self.low < 1:
            raise NumprobeError(f"a sample by {self.sampling} needs numbers of at least 1, and range {self} has less")
        if not 0 < self.count <= min(LIMIT, self.span // 2):
            raise NumprobeError(
                f"range {self}: a sample has between 1 and {min(LIMIT, self.span // 2):,} numbers, at most half of the "
                "range"
            )

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Read `LOW:HIGH`, or `LOW:HIGH/SAMPLING/COUNT`; decimals on either end are those of all numbers."""
        match = _RANGE.fullmatch(text)
        if match is None:
            raise NumprobeError(
                f"range {shortened(text)} is not LOW:HIGH, such as 0:99, -50:50 or 0.0:99.9, or "
                "LOW:HIGH/SAMPLING/COUNT, such as 10:999999999/digits/2000"
            )
        ends = [end.partition(".") for end in match.groups()[:2]]
        decimals = max(len(rest) for _, _, rest in ends)
        low, high = (int(whole + rest.ljust(decimals, "0")) for whole, _, rest in ends)
        return cls(low, high, decimals, match[3] or "", int(match[4] or 0))

    @property
    def span(self) -> int:
        """How many numbers lie between both ends."""
        return self.high - self.low + 1

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return self.count if self.sampling else self.span

    def values(self) -> np.ndarray:
        """List every number of the range in increasing order.

        >>> Range.parse("0.0:0.3").values().tolist()
        [0.0, 0.1, 0.2, 0.3]
        """
        if self.sampling:
            return self._sample()
        return np.asarray(np.arange(self.low, self.high + 1) / 10**self.decimals)

    def _sample(self) -> np.ndarray:
        """Draw different numbers, always the same ones."""
        rng = generator(0, str(self))
        drawn = np.empty(0, dtype=np.int64)
        while len(drawn) < self.count:
            more = np.concatenate((drawn, self._draw(rng, self.count)))
            _, first = np.unique(more, return_index=True)
            drawn = more[np.sort(first)]
        return np.sort(drawn[: self.count]).astype(np.float64)

    def _draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        low, high = np.full(count, self.low), np.full(count, self.high)
        if self.sampling == "log":
            values = np.floor(np.exp(rng.uniform(np.log(self.low), np.log(self.high + 1), count)))
            return np.clip(values, self.low, self.high).astype(np.int64)
        if self.sampling == "digits":
            digits = rng.integers(len(str(self.low)), len(str(self.high)) + 1, size=count)
            low, high = np.maximum(low, 10 ** (digits - 1)), np.minimum(high, 10**digits - 1)
        return rng.integers(low, high, endpoint=True)

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
        sample = f" ({self.count} by {self.sampling})" if self.sampling else ""
        return f"[{self._text(self.low)},{self._text(self.high)}]{sample}"

    def _text(self, end: int) -> str:
        return f"{end / 10**self.decimals:.{self.decimals}f}"

    def __str__(self) -> str:
        sample = f"/{self.sampling}/{self.count}" if self.sampling else ""
        return f"{self._text(self.low)}:{self._text(self.high)}{sample}"


def integer_parts(values: np.ndarray) -> np.ndarray:
    """Number the integer part of each float: 0 for 0.x, 1 for 1.x and so on; -1 for -0.x, -2 for -1.x and so on.

    So -1.0 goes with -1.9, and -0.1 goes with -0.9 but not with 0.9.

    >>> integer_parts(np.array([-1.9, -1.0, -0.9, -0.1, 0.0, 0.9, 1.0])).tolist()
    [-2.0, -2.0, -1.0, -1.0, 0.0, 0.0, 1.0]
    """
    return np.asarray(np.where(values < 0, np.ceil(values) - 1, np.floor(values)))
