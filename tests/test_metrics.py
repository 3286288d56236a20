import numpy as np
import pytest

from numprobe.metrics import METRICS
from numprobe.tasks import Answer

TRUTHS = np.array([0.0, 10.0, 20.0, 30.0, 100.0])
OF_VALUES = [name for name in METRICS if METRICS.build(name).answer is Answer.VALUE]


def score(metric: str, answers: list[float], truths: np.ndarray = TRUTHS, guess: float = 30.0) -> float:
    return METRICS.build(metric).score(np.array(answers), truths, guess)


@pytest.mark.parametrize(
    ("metric", "answers", "expected"),
    [
        ("rmse", [3, 13, 23, 33, 103], 3.0),
        ("exact", [0.4, 10, 20.6, 30.2, 99.6], 0.8),  # rounded
        ("normalised-error", [30] * 5, 1.0),  # guessing
        ("normalised-error", [15, 20, 25, 30, 65], 0.5),  # half the way to the guess
        ("r2", [32] * 5, 0.0),  # the test items' own mean
        ("r2", [0, 10, 20, 30, 180], 1 - 6400 / 6280),
        ("log-rmse", [9, 109, 209, 309, 1009], 1.0),  # ten times 1 + the truth, less 1
        ("spearman", [1, 2, 3, 4, 5], 1.0),
        ("spearman", [5, 4, 3, 2, 1], -1.0),
        ("spearman", [7] * 5, 0.0),
        ("kendall", [1, 2, 3, 5, 4], 0.8),  # 9 pairs in order, 1 not
        ("kendall", [7] * 5, 0.0),
        ("median-relative-error", [0.3, 9, 20, 15, 120], 0.2),  # 0.3, 0.1, 0, 0.5, 0.2
        ("within-1-percent", [0.4, 10.05, 20.3, 30, 99], 0.8),
        ("within-1-percent", [0.6, 10.2, 20.3, 31, 98], 0.0),
        ("within-10-percent", [0.6, 11, 18, 34, 90], 0.6),
    ],
)
def test_scores_that_are_known(metric: str, answers: list[float], expected: float) -> None:
    assert score(metric, answers) == pytest.approx(expected)


@pytest.mark.parametrize("name", OF_VALUES)
def test_the_truth_has_the_best_score_and_shuffled_answers_a_worse_one(name: str) -> None:
    metric = METRICS.build(name)
    best = score(name, TRUTHS.tolist())
    assert best == pytest.approx(1.0 if metric.higher_is_better else 0.0)
    assert metric.better(best, score(name, TRUTHS[::-1].tolist()))


@pytest.mark.parametrize("name", OF_VALUES)
@pytest.mark.parametrize("answers", [[5.0, 5.0], [4.0, 7.0]])
def test_equal_truths_have_finite_scores(name: str, answers: list[float]) -> None:
    assert np.isfinite(score(name, answers, np.array([5.0, 5.0]), guess=5.0))


def test_where_guessing_is_always_right_it_counts_as_off_by_one() -> None:
    assert score("normalised-error", [8.0, 2.0], np.array([5.0, 5.0]), guess=5.0) == 3.0
    assert score("normalised-error", [5.0, 5.0], np.array([5.0, 5.0]), guess=5.0) == 0.0


def test_the_logarithm_keeps_the_sign() -> None:
    assert score("log-rmse", [-9.0, 9.0], np.array([9.0, -9.0])) == pytest.approx(2.0)


def test_errors_over_different_numbers_are_compared_where_guessing_is_the_unit() -> None:
    assert {name: METRICS.build(name).across for name in METRICS if METRICS.build(name).across} == {
        "rmse": "normalised-error"
    }
    assert score("normalised-error", (10 * TRUTHS[::-1]).tolist(), 10 * TRUTHS, 300.0) == pytest.approx(
        score("normalised-error", TRUTHS[::-1].tolist())
    )


def test_exact_knows_decimals() -> None:
    assert score("exact", [7.5, 2.0, 0.1 + 0.2, 7.4], np.array([7.5, 2.0, 0.3, 7.5])) == 0.75
