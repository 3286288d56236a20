"""How accuracy in comparing two numbers grows with their ratio, and the Weber fraction behind it.

Someone whose idea of a number n is a Gaussian around n with a deviation of w · n picks the larger of a and b with
probability Φ(|a - b| / (w √(a² + b²))). The Weber fraction w says how blurred the idea is: the smaller, the sharper.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from numprobe.analysis.statistics import interval
from numprobe.experiments import Result
from numprobe.tasks import Answer

SHARPEST, DULLEST = 0.001, 100.0
"""Fractions beyond these can't be told from them."""


def is_comparison(result: Result) -> bool:
    """Whether a result holds answers about pairs of numbers."""
    task = result.cell.parts.task
    return bool(result.predictions) and task.arity == 2 and task.answer is Answer.CHOICE


def compared(result: Result) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each shuffle, the (items, 2) numbers that were compared, and whether the answers were right."""
    for seed, row in enumerate(result.predictions or ()):
        yield result.asked(seed), np.array(row) == result.truths(seed)


def weber_fractions(result: Result) -> list[float]:
    """The Weber fraction of each shuffle, by maximum likelihood."""
    return [_fraction(numbers, right) for numbers, right in compared(result)]


def weber_interval(result: Result) -> tuple[float, float] | None:
    """The 95 % interval of the mean Weber fraction."""
    return interval(replace(result, scores=weber_fractions(result)))


def _fraction(numbers: np.ndarray, right: np.ndarray) -> float:
    from scipy.optimize import minimize_scalar
    from scipy.stats import norm

    first, second = numbers.T
    apart = np.abs(first - second) / np.hypot(first, second)

    def unlikely(log_fraction: float) -> float:
        z = apart / np.exp(log_fraction)
        return -float(np.where(right, norm.logcdf(z), norm.logsf(z)).sum())

    found = minimize_scalar(unlikely, bounds=(np.log(SHARPEST), np.log(DULLEST)), method="bounded")
    return float(np.exp(found.x))
