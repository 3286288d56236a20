"""A planted Weber fraction is found again."""

from dataclasses import replace

import numpy as np
import pytest

from numprobe.analysis.weber import compared, is_comparison, weber_fractions, weber_interval
from numprobe.experiments import Result
from numprobe.reports.pictures import PICTURES
from tests.conftest import make_result

TASK = "comparison:test_pairs=4000"


def blurred(fraction: float) -> Result:
    """The answers of someone whose idea of each number has this deviation, relative to its size."""
    rng = np.random.default_rng(0)
    result = make_result("value", TASK, "1:999")
    asked = [result.asked(seed) for seed in range(5)]
    answers = [(own * (1 + fraction * rng.normal(size=own.shape))).argmax(axis=1).tolist() for own in asked]
    return replace(result, predictions=answers)


@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.6])
def test_it_is_found_again(fraction: float) -> None:
    result = blurred(fraction)
    assert is_comparison(result)
    assert np.mean(weber_fractions(result)) == pytest.approx(fraction, rel=0.05)
    low, high = weber_interval(result) or (0, 0)
    assert low < np.mean(weber_fractions(result)) < high


def test_lapses_do_not_blur_numbers() -> None:
    result, rng = blurred(0.1), np.random.default_rng(1)
    guessed = [
        np.where(rng.random(len(row)) < 0.08, rng.integers(2, size=len(row)), row).tolist()
        for row in result.predictions or ()
    ]
    assert np.mean(weber_fractions(replace(result, predictions=guessed))) == pytest.approx(0.1, rel=0.15)


def test_who_is_always_right_or_guesses() -> None:
    result = blurred(0.1)
    perfect = replace(result, predictions=[result.truths(seed).tolist() for seed in range(5)])
    assert max(weber_fractions(perfect)) < 0.01
    guessed = [np.random.default_rng(seed).integers(2, size=4000).tolist() for seed in range(5)]
    assert min(weber_fractions(replace(result, predictions=guessed))) > 5


def test_the_picture_has_a_line_per_embedder_with_its_fraction() -> None:
    drawn = PICTURES["ratio"].draw([blurred(0.2), make_result()]).to_dict()
    (rows,) = drawn["datasets"].values()
    assert len({row["embedder"] for row in rows}) == 1
    assert "w = 0." in rows[0]["embedder"]
    by_ratio = [row["accuracy"] for row in sorted(rows, key=lambda row: row["more"])]
    assert by_ratio[0] < 0.7
    assert by_ratio[-1] > 0.97


def test_numbers_and_answers_belong_together() -> None:
    numbers, right = next(compared(blurred(0.001)))
    assert numbers.shape == (4000, 2)
    assert right.mean() > 0.98
