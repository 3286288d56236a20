"""How sure a mean is, and whether two embedders differ, where shuffles share their training numbers.

Shuffles overlap in the numbers they train on, so their scores vary less than those of new numbers would, and a plain
t-test is too sure of itself. The corrected resampled t-test (Nadeau and Bengio, 2003) widens the variance of the mean
by the ratio of test to training numbers.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from statistics import variance

from numprobe.experiments import Result

LEVEL = 0.05
"""The share of false alarms among results that don't truly differ."""

SHARED = "the shuffles share test numbers"
SINGLE = "one shuffle has no deviation"


def interval(result: Result) -> tuple[float, float] | None:
    """The 95 % interval of a mean over shuffles; None where the shuffles don't show how it would vary.

    >>> from numprobe.experiments import Cell
    >>> cell = Cell.make("value", "decoding", "0:99")
    >>> low, high = interval(Result(cell, "rmse", [2.1, 2.0, 2.3, 1.9, 2.2], {}, [], {}))
    >>> round(low, 2), round(high, 2)
    (1.81, 2.39)
    """
    if _problem(result):
        return None
    half = half_width(result.scores, result.test_ratio)
    return result.mean - half, result.mean + half


def _problem(result: Result) -> str:
    """Why a result says nothing about other numbers; empty if it does."""
    return SHARED if result.cell.test_range else SINGLE if len(result.scores) < 2 else ""


def half_width(values: Sequence[float], ratio: float) -> float:
    """Half of the 95 % interval of a mean over shuffles, with so many test numbers per training number."""
    from scipy.stats import t

    return float(t.ppf(1 - LEVEL / 2, len(values) - 1)) * _error(values, ratio)


def _error(values: Sequence[float], ratio: float) -> float:
    """The corrected standard error of a mean over shuffles."""
    return math.sqrt(variance(values) * (1 / len(values) + ratio))


@dataclass(frozen=True)
class Paired:
    """Two embedders on the same shuffles of the same numbers."""

    a: Result
    b: Result
    p_holm: float | None = None
    """The p-value among those of all comparisons that were made together."""

    @cached_property
    def differences(self) -> list[float]:
        """a's score minus b's, for each shuffle."""
        return [one - other for one, other in zip(self.a.scores, self.b.scores, strict=False)]

    @property
    def difference(self) -> float:
        return self.a.mean - self.b.mean

    @property
    def reason(self) -> str:
        """Why there is no verdict; empty if there is one."""
        if self.a.lacks != self.b.lacks:
            return "they have different numbers"
        return _problem(self.a)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the difference; None where there is no verdict."""
        if self.reason:
            return None
        half = half_width(self.differences, self.a.test_ratio)
        return self.difference - half, self.difference + half

    @cached_property
    def p(self) -> float | None:
        """The chance of a difference as large as this between embedders that don't truly differ."""
        if self.reason:
            return None
        from scipy.stats import t

        error = _error(self.differences, self.a.test_ratio)
        if error == 0:
            return 1.0 if self.difference == 0 else 0.0
        return float(2 * t.sf(abs(self.difference) / error, len(self.differences) - 1))

    @property
    def better(self) -> Result | None:
        """The one that is surely better, if any."""
        if self.p_holm is None or self.p_holm >= LEVEL:
            return None
        return self.a if self.a.measure.better(self.a.mean, self.b.mean) else self.b


def selectivities(results: Sequence[Result]) -> dict[str, float]:
    """How much better each embedder is than its own vectors dealt out anew, on new items of training numbers.

    What a probe learns by heart, it learns from either (Hewitt and Liang, 2019).
    """
    about_trained = {result.cell.embedder: result for result in results if result.cell.asks_trained}
    sign = {True: 1, False: -1}
    return {
        name: sign[result.measure.higher_is_better] * (result.mean - control.mean)
        for name, result in about_trained.items()
        if (control := about_trained.get(f"shuffled:of={name}")) is not None
    }


def holm(chances: Sequence[float]) -> list[float]:
    """Correct p-values of comparisons made together, so that any false alarm at all is as rare as one alone.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(chances)
    largest = 0.0
    for place, at in enumerate(sorted(range(len(chances)), key=lambda at: chances[at])):
        largest = max(largest, min(1.0, (len(chances) - place) * chances[at]))
        corrected[at] = largest
    return corrected


def together(pairs: Sequence[Paired]) -> list[Paired]:
    """Correct comparisons for each other."""
    known = [pair for pair in pairs if pair.p is not None]
    found = dict(zip(map(id, known), holm([pair.p for pair in known if pair.p is not None]), strict=True))
    return [replace(pair, p_holm=found.get(id(pair))) for pair in pairs]


def compare_all(results: Sequence[Result]) -> list[Paired]:
    """Compare each result with each other one, in the order given."""
    return together([Paired(a, b) for a, b in combinations(results, 2)])


def best_of(results: Sequence[Result]) -> Result:
    """The result with the best mean, of some in the same metric."""
    sign = 1 if results[0].measure.higher_is_better else -1
    return max(results, key=lambda result: sign * result.mean)


def against_best(results: Sequence[Result]) -> list[Paired]:
    """Compare the best of some results with each other one; empty where there is no verdict.

    Results that are about other numbers than most are left out.
    """
    sound = [result for result in results if not _problem(result)]
    most, _ = next(iter(Counter(result.lacks for result in sound).most_common(1)), ((), 0))
    those = [result for result in sound if result.lacks == most]
    if len(those) < 2:
        return []
    first = best_of(those)
    return together([Paired(first, result) for result in those if result is not first])
