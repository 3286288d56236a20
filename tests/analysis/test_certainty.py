"""The paired test keeps its level and finds true differences, and intervals cover the truth.

Vectors of known worth are compared in many pairs: noise with noise, a planted signal with one of equal strength, and
one with another that is better by two standard errors. `pytest -s` prints the shares.
"""

import math

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from numprobe.analysis.statistics import LEVEL, Paired, half_width, interval
from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import run_cell
from numprobe.probes.linear import Linear

PAIRS = 200
NUMBERS = 200
SHUFFLES = pytest.mark.parametrize("shuffles", [5, 20])


class Planted:
    """Vectors of noise, the same in all shuffles, one dimension of which also tells the value."""

    def __init__(self, seed: int, strength: float) -> None:
        values = np.arange(NUMBERS)
        self.vectors = np.random.default_rng(seed).normal(size=(NUMBERS, 8))
        self.vectors[:, 0] += strength * (values - values.mean()) / values.std()

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.vectors[[int(text) for text in texts]]


def measured(seed: int, strength: float, shuffles: int) -> Result:
    embedder, numbers = Planted(seed, strength), f"0:{NUMBERS - 1}"
    cell = Cell.make(embedder, "decoding", numbers, probe=Linear(penalty=0.0), seeds=shuffles, name="planted")
    return run_cell(cell, "cpu")


def drawn(one: float, other: float, shuffles: int) -> list[Paired]:
    return [Paired(measured(2 * at, one, shuffles), measured(2 * at + 1, other, shuffles)) for at in range(PAIRS)]


def told_apart(pairs: list[Paired]) -> tuple[float, float]:
    """The shares of pairs that differ by the corrected test and by a plain one."""
    corrected = np.mean([pair.p is not None and pair.p < LEVEL for pair in pairs])
    plain = np.mean([ttest_1samp(pair.differences, 0).pvalue < LEVEL for pair in pairs])
    print(
        f"{len(pairs[0].differences)} shuffles: {corrected:.1%} of {PAIRS} pairs differ, {plain:.1%} by a plain t-test"
    )
    return float(corrected), float(plain)


def covered(pairs: list[Paired]) -> float:
    """The share of intervals that cover the mean over all draws of the vectors."""
    truth = np.mean([result.mean for pair in pairs for result in (pair.a, pair.b)])
    bounds = [own for pair in pairs if (own := interval(pair.a))]
    share = float(np.mean([low <= truth <= high for low, high in bounds]))
    print(f"{share:.1%} of {len(bounds)} intervals cover the truth")
    return share


@pytest.mark.slow
@SHUFFLES
def test_noise_is_seldom_told_from_noise(shuffles: int) -> None:
    pairs = drawn(0.0, 0.0, shuffles)
    corrected, plain = told_apart(pairs)
    assert corrected <= 0.08
    assert plain > corrected + 0.04
    assert covered(pairs) > 0.9


@pytest.mark.slow
@SHUFFLES
def test_equal_signals_differ_at_the_level_and_two_standard_errors_are_found(shuffles: int) -> None:
    pairs = drawn(1.0, 1.0, shuffles)
    corrected, plain = told_apart(pairs)
    assert 0.02 <= corrected <= 0.08
    assert plain > corrected + 0.04
    assert covered(pairs) > 0.9

    to_error = 1 / float(t.ppf(1 - LEVEL / 2, shuffles - 1))
    error = to_error * np.mean([half_width(pair.differences, pair.a.test_ratio) for pair in pairs])
    mean = np.mean([pair.a.mean for pair in pairs])
    # A signal of strength s beside noise of deviation 1 leaves an error proportional to 1 / √(1 + s²).
    stronger = math.sqrt((1 + 1.0**2) * (mean / (mean - 2 * error)) ** 2 - 1)
    found, _ = told_apart(drawn(1.0, stronger, shuffles))
    assert 0.2 < found < 0.7
