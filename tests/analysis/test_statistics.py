"""The corrected resampled t-test keeps its level where a plain t-test does not."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from numprobe.analysis.statistics import LEVEL, Paired, against_best, compare_all, holm, interval
from numprobe.experiments import Result
from tests.conftest import make_result


def scored(name: str, scores: list[float], **fields: str) -> Result:
    result = make_result(name, **fields)
    return replace(result, cell=replace(result.cell, seeds=len(scores)), scores=scores)


def test_holm_is_the_textbooks_step_down() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_pair_is_compared_shuffle_by_shuffle() -> None:
    shared = np.linspace(5, 50, 5)  # the shuffles differ far more than the embedders
    a, b = scored("value", list(shared)), scored("random", list(shared + np.array([1.0, 1.1, 0.9, 1.05, 0.95])))
    (pair,) = compare_all([a, b])
    assert pair.difference == pytest.approx(-1.0)
    assert pair.interval is not None
    assert pair.interval[0] < -1 < pair.interval[1] < 0
    assert pair.better is a
    (backwards,) = compare_all([b, a])
    assert backwards.difference == -pair.difference
    assert backwards.p == pair.p
    assert backwards.better is a


def test_the_interval_is_wider_than_a_plain_one_by_the_share_of_test_numbers() -> None:
    result = scored("value", [1.0, 2.0, 3.0, 4.0, 5.0])
    found = interval(result)
    assert found is not None
    plain = ttest_1samp(result.scores, 0).confidence_interval(1 - LEVEL)
    widened = (found[1] - found[0]) / (plain.high - plain.low)
    assert widened == pytest.approx(np.sqrt((1 / 5 + 20 / 80) / (1 / 5)))


def test_equal_and_constant_differences() -> None:
    same = Paired(scored("value", [1.0, 2.0, 3.0]), scored("random", [1.0, 2.0, 3.0]))
    shifted = Paired(scored("value", [1.0, 2.0, 3.0]), scored("random", [2.0, 3.0, 4.0]))
    assert (same.p, shifted.p) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        (scored("value", [1.0]), scored("random", [2.0]), "one shuffle"),
        (scored("value", [1.0] * 5, test_range="100:150"), scored("random", [2.0] * 5, test_range="100:150"), "share"),
        (replace(make_result(), missing=[3.0]), make_result("random"), "different numbers"),
    ],
)
def test_there_is_no_verdict_where_shuffles_say_nothing(a: Result, b: Result, reason: str) -> None:
    (pair,) = compare_all([a, b])
    assert reason in pair.reason
    assert pair.p is pair.p_holm is pair.interval is pair.better is None


def test_the_best_and_what_cannot_be_told_from_it() -> None:
    noise = np.random.default_rng(0).normal(size=(3, 5)) / 100
    first, near, far = (
        scored(name, list(mean + own))
        for name, mean, own in zip(("value", "char-cnn", "random"), (1.0, 1.001, 2.0), noise, strict=True)
    )
    others = replace(scored("char-lstm", [0.1] * 5), missing=[1.0])  # about other numbers, so it is not the best
    pairs = against_best([far, first, near, others])
    best = {pair.a.cell.embedder for pair in pairs}
    assert len(best) == 1
    assert {pair.b.cell.embedder for pair in pairs if pair.better} == {"random"}
    assert len(pairs) == 2
