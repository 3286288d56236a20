"""How accuracy in comparing two numbers grows with their ratio, and the Weber fraction behind it.

Someone whose idea of a number n is a Gaussian around n with a deviation of w · n picks the larger of a and b with
probability Φ(|a - b| / (w √(a² + b²))). The Weber fraction w says how blurred the idea is: the smaller, the sharper.
Whoever now and then errs for another reason, however far apart the numbers are, has lapses: a share of guesses. Without
them in the model, a few errors about far numbers would blur all of them.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from numprobe.analysis.statistics import interval
from numprobe.experiments import Result
from numprobe.tasks import Answer

SHARPEST, DULLEST = 0.001, 100.0
"""Fractions beyond these can't be told from them."""
LAPSES = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Shares of guesses, of which the likeliest is taken."""


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
    """The 95 % interval of the mean Weber fraction, which is a geometric one."""
    between = interval(replace(result, scores=[math.log(fraction) for fraction in weber_fractions(result)]))
    return (math.exp(between[0]), math.exp(between[1])) if between else None


def _fraction(numbers: np.ndarray, right: np.ndarray) -> float:
    from scipy.optimize import minimize_scalar
    from scipy.stats import norm

    first, second = numbers.T
    apart = np.abs(first - second) / np.hypot(first, second)

    def unlikely(log_fraction: float, lapses: float) -> float:
        chance = (1 - lapses) * norm.cdf(apart / np.exp(log_fraction)) + lapses / 2
        return -float(np.log(np.maximum(np.where(right, chance, 1 - chance), 1e-12)).sum())

    bounds = (np.log(SHARPEST), np.log(DULLEST))
    found = [minimize_scalar(unlikely, bounds=bounds, method="bounded", args=(lapses,)) for lapses in LAPSES]
    return float(np.exp(min(found, key=lambda one: one.fun).x))
