"""A planted signal of known strength comes back from every probe, in every metric."""

from typing import Any

import numpy as np
import pytest

from numprobe import probe
from numprobe.metrics import METRICS
from numprobe.tasks import TASKS, Answer, Pool

NUMBERS = 1000
NOISE = 0.3
"""The deviation of the noise, in deviations of the values."""

VALUES = np.arange(NUMBERS, dtype=float)
SIGNAL = (VALUES - VALUES.mean()) / VALUES.std() + np.random.default_rng(0).normal(scale=NOISE, size=NUMBERS)


def planted(texts: list[str]) -> np.ndarray:
    """The value with noise, mixed into four dimensions of more noise."""
    rng = np.random.default_rng(1)
    parts = np.column_stack((SIGNAL, rng.normal(size=(NUMBERS, 3))))
    return np.asarray((parts @ rng.normal(size=(4, 4)))[[int(text) for text in texts]])


def best_line() -> np.ndarray:
    """What the best line answers that knows how strong the signal is."""
    return np.asarray(VALUES.mean() + VALUES.std() * SIGNAL / (1 + NOISE**2))


def best_curve() -> np.ndarray:
    """What the best curve answers: it also knows that no number lies outside the range."""
    chances = np.exp(-0.5 * ((SIGNAL[:, None] - (VALUES - VALUES.mean()) / VALUES.std()) / NOISE) ** 2)
    return np.asarray(chances @ VALUES / chances.sum(axis=1))


@pytest.mark.parametrize(
    ("name", "best"), [("linear", best_line()), pytest.param("mlp", best_curve(), marks=pytest.mark.slow)]
)
def test_values_come_back_as_well_as_the_noise_allows(name: str, best: np.ndarray) -> None:
    (result,) = probe(planted, "decoding", f"0:{NUMBERS - 1}", probe=name)
    found = {result.metric: result.scores, **result.more}
    asked = [metric for metric in METRICS if METRICS.build(metric).answer is Answer.VALUE]
    assert set(found) == set(asked)
    for metric in asked:
        expected = METRICS.build(metric).score(best, VALUES, VALUES.mean())
        assert np.mean(found[metric]) == pytest.approx(expected, rel=0.1, abs=0.05), metric
    assert METRICS.build("r2").score(best_line(), VALUES, VALUES.mean()) == pytest.approx(1 / (1 + NOISE**2), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["list-maximum", "comparison"])
def test_choices_come_back_as_well_as_the_noise_allows(task: str) -> None:
    part: Any = TASKS.build(task)
    (result,) = probe(planted, task, f"1:{NUMBERS - 1}", seeds=2)
    rng = np.random.default_rng(2)
    pools = [np.sort(rng.choice(np.arange(1, NUMBERS), NUMBERS // 5, replace=False)) for _ in range(20)]
    drawn = [(pool, part.draw(Pool(VALUES[pool], NUMBERS), "test", rng)) for pool in pools]
    best = np.mean([SIGNAL[pool[items.numbers]].argmax(axis=1) == items.targets for pool, items in drawn])
    print(f"{task}: {result.mean:.3f} of at most {best:.3f}")
    assert result.mean == pytest.approx(best, abs=0.03)
