"""Two ways to answer the same items, set against each other, with intervals that know which items share numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numprobe.numbers import generator

SAMPLES = 1000
LEVEL = 0.05


@dataclass(frozen=True)
class Share:
    """A share of items, and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"

    @property
    def inside(self) -> "Share":
        """The same with an interval that leaves no share below 0 or above 1."""
        return Share(self.value, max(0.0, self.low), min(1.0, self.high))


def weights(numbers: np.ndarray, samples: int = SAMPLES) -> np.ndarray:
    """(samples, items): what each item counts when its numbers are drawn anew.

    Items that share a number are no independent evidence. So numbers are drawn with replacement, and for every time
    that one of its numbers is drawn more or less than once, an item counts one more or one less. That is the first
    order of counting it as often as all its numbers together were drawn, which is far too wide for lists of five.

    >>> weights(np.array([[3, 5], [5, 5]])).shape
    (1000, 2)
    """
    values, places = np.unique(numbers, return_inverse=True)
    places = places.reshape(numbers.shape)
    rng = generator(0, "crossing")
    drawn = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=samples)
    times = np.ones((samples, len(numbers)))
    for column in range(numbers.shape[1]):
        repeated = (places[:, :column] == places[:, column : column + 1]).any(axis=1)
        times += np.where(repeated, 0, drawn[:, places[:, column]] - 1)
    return times


def share(hits: np.ndarray, times: np.ndarray) -> Share:
    """The share of items that are hits, with the interval that the drawn weights give."""
    totals = times.sum(axis=1)
    there = totals > 0
    drawn = (times[there] @ hits.astype(float)) / totals[there]
    low, high = np.quantile(drawn, (LEVEL / 2, 1 - LEVEL / 2)) if len(drawn) else (0.0, 1.0)
    return Share(float(hits.mean()), float(low), float(high))


def crossed(knows: np.ndarray, says: np.ndarray, numbers: np.ndarray) -> dict[str, Share]:
    """How many items are right by either way, by both, by one of them alone, or by neither.

    >>> right = np.array([True, False])
    >>> crossed(right, ~right, np.array([[1], [2]]))["only_knows"].value
    0.5
    """
    times = weights(numbers)
    cells = {
        "knows": knows,
        "says": says,
        "both": knows & says,
        "only_knows": knows & ~says,
        "only_says": ~knows & says,
        "neither": ~knows & ~says,
    }
    return {name: share(hits, times).inside for name, hits in cells.items()}


def cross_table(cells: Sequence[tuple[str, dict[str, Share]]]) -> str:
    """A text table: one row per way to know."""
    names = list(cells[0][1])
    rows = [["", *(name.replace("_", " ") for name in names)]]
    rows += [[name, *(str(found[column]) for column in names)] for name, found in cells]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
