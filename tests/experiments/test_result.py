import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numprobe import probe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.metrics import METRICS
from tests.conftest import make_result


def again(result: Result, **changed: Any) -> Result:
    return Result.from_dict(json.loads(json.dumps(result.as_dict())) | changed)


def test_other_metrics_are_kept_and_used_instead_of_the_answers() -> None:
    result = replace(make_result("value", "addition"), more={"r2": [0.9] * 5})
    assert again(result) == result
    assert result.rescored("r2").scores == [0.9] * 5
    assert result.rescored("r2").rescored("rmse").scores == result.scores
    with pytest.raises(NumprobeError, match="were not kept"):
        result.rescored("spearman")
    with pytest.raises(NumprobeError, match="scores a choice, not a value"):
        result.rescored("accuracy")


@pytest.mark.parametrize("more", [[], {"r2": [0.9] * 4}, {"r2": ["a"] * 5}, {"r2": [float("nan")] * 5}, {"r2": 1.0}])
def test_what_is_no_score_per_shuffle_is_refused(more: object) -> None:
    with pytest.raises(NumprobeError, match="not those of a result"):
        again(make_result(), more=more)


@pytest.mark.parametrize("cell", [[make_result().cell.as_dict()], "value", None])
def test_what_is_no_cell_is_refused(cell: object) -> None:
    with pytest.raises(NumprobeError, match="its cell holds something other than text"):
        again(make_result(), cell=cell)


def test_answers_are_scored_against_the_mean_of_the_training_numbers() -> None:
    result = make_result()  # every answer is off by a half
    numbers = set(range(100))
    for seed in range(5):
        trained = numbers - set(result.held_out(seed))
        assert result.guess(seed) == pytest.approx(sum(trained) / len(trained))
    guessing = [np.sqrt(np.mean((result.truths(seed) - result.guess(seed)) ** 2)) for seed in range(5)]
    assert result.rescored("normalised-error").scores == pytest.approx([0.5 / error for error in guessing])
    assert make_result("value", "list-maximum").guess(0) == 0.0


def test_results_about_different_numbers_are_compared_by_normalised_error() -> None:
    normalised = make_result().across
    assert normalised
    assert normalised.metric == "normalised-error"
    assert make_result("value", "addition").across is None  # neither its answers nor its other scores were kept
    lists = make_result("value", "list-maximum")
    assert lists.across is lists


def sweep(errors: list[list[float]], **changed: Any) -> Result:
    """Three layers, two shuffles; layer n scores n in the first and 10 n in the second."""
    choices = [{"rate": 0.01, "error": error} for layer in errors for error in layer]
    layers = [[float(number), 10.0 * number] for number in range(len(errors))]
    cell = Cell.make(len, "decoding", "0:99", seeds=2, name="mine:layer=all")
    made = replace(make_result(seeds=2), cell=cell, choices=choices, layers=layers, scores=layers[-1])
    return replace(made, more={"r2": [0.5, 0.6]}, **changed)


ERRORS = [[0.9, 0.8], [0.2, 0.5], [0.3, 0.1]]


def test_the_best_layer_is_chosen_for_each_shuffle_by_its_development_error() -> None:
    *layers, best = sweep(ERRORS).by_layer()
    assert [layer.cell.embedder for layer in layers] == ["mine:layer=0", "mine:layer=1", "mine:layer=2"]
    assert [layer.scores for layer in layers] == [[0.0, 0.0], [1.0, 10.0], [2.0, 20.0]]
    assert [choice["error"] for choice in layers[1].choices] == [0.2, 0.5]
    assert best.cell.embedder == "mine:layer=best"
    assert best.scores == [1.0, 20.0]
    assert [(choice["layer"], choice["error"]) for choice in best.choices] == [(1, 0.2), (2, 0.1)]


def test_other_scores_and_answers_belong_to_the_layer_they_are_of() -> None:
    for result, own in ((sweep(ERRORS), 2), (sweep(ERRORS, scores=[1.0, 20.0]), 3)):
        split = result.by_layer()
        assert [number for number, layer in enumerate(split) if layer.more] == [own]
        assert [number for number, layer in enumerate(split) if layer.predictions] == [own]
        assert split[own].scores == result.scores


@pytest.mark.parametrize("choices", [[], [{"error": 0.1}] * 5, [{"penalty": 1}] * 6, [{"error": "small"}] * 6])
def test_without_an_error_for_every_layer_and_shuffle_there_is_no_best(choices: list[dict[str, Any]]) -> None:
    layers = sweep(ERRORS, choices=choices).by_layer()
    assert [layer.scores[1] for layer in layers] == [0.0, 10.0, 20.0]


@pytest.mark.parametrize(
    ("scores", "outlying"),
    [
        ([2.1, 2.0, 2.3, 9.4, 2.2], [3]),
        ([2.1, 50.0, 2.0, 9.4, 2.2], [1, 3]),  # two of five don't hide each other
        ([0.99, 0.99, 0.99, 0.99, 0.98], []),  # far in deviations, not in size
        ([0.99, 0.99, 0.99, 0.99, 0.60], [4]),
        ([7.9, 5.2, 2.4, 39.9, 4.0], [3]),  # 8.7 robust deviations, but eight times the median
        ([1.0, 2.0, 3.0, 4.0, 8.0], []),
        ([1.0, 1.0, 9.0], []),  # too few
    ],
)
def test_shuffles_far_from_the_others(scores: list[float], outlying: list[int]) -> None:
    result = replace(make_result(), scores=scores)
    assert result.outlying == outlying
    assert result.median == sorted(scores)[len(scores) // 2]


@pytest.mark.parametrize(
    ("shuffles", "deviation", "most"), [(4, 0.3, 0.04), (5, 0.1, 0.02), (5, 0.3, 0.045), (10, 0.3, 0.02)]
)
def test_gaussian_scores_rarely_set_off_a_false_alarm(shuffles: int, deviation: float, most: float) -> None:
    result = make_result()
    drawn = np.random.default_rng(0).normal(1.0, deviation, (4000, shuffles))
    alarms = np.mean([bool(replace(result, scores=scores).outlying) for scores in drawn.tolist()])
    assert 0 < alarms < most


def test_probes_that_stopped_at_the_limit_are_counted() -> None:
    choices = [{"stopped": "by itself"}, {"stopped": "at the limit"}, {"penalty": 1.0}]
    assert replace(make_result(), choices=choices).stopped() == (1, 2)
    assert make_result().stopped() == (0, 0)


@pytest.mark.parametrize(("name", "embedder"), [("linear", "digit-one-hots"), ("mlp:most_steps=1500", "value")])
def test_every_metric_is_that_of_the_kept_answers(name: str, embedder: str) -> None:
    (result,) = probe(embedder, numbers="0:99", probe=name, seeds=2)
    assert result.predictions is not None
    assert min(result.more["exact"]) > 0.9  # the vectors give everything away
    for metric, scores in result.more.items():
        for seed, (answers, score) in enumerate(zip(result.predictions, scores, strict=True)):
            again = METRICS.build(metric).score(np.array(answers), result.truths(seed), result.guess(seed))
            assert score == pytest.approx(again, rel=1e-3, abs=1e-3), metric
