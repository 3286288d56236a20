from dataclasses import replace

import numpy as np
import pytest

from numprobe.analysis import compare, count
from numprobe.analysis.comparison import Compared
from numprobe.analysis.paper import Published
from numprobe.experiments import Result
from tests.conftest import make_result


def scored(embedder: str, task: str, scores: list[float], **cell: object) -> Result:
    return replace(make_result(embedder, task, **cell), scores=scores)


@pytest.mark.parametrize(
    ("task", "scores", "verdict"),
    [
        ("decoding", [2.5] * 5, "not distinguishable"),  # the paper has 2.50 ± 0.49
        ("decoding", [3.1] * 5, "not distinguishable"),  # 2.78 × 0.49 / √5 = 0.61
        ("decoding", [3.12] * 5, "behind"),
        ("decoding", [2.5, 3.0, 3.5, 4.0, 3.0], "not distinguishable"),  # our deviation counts too
        ("decoding", [1.88] * 5, "better"),
        ("list-maximum", [0.94] * 5, "behind"),  # the paper has 0.97 ± 0.02
        ("list-maximum", [0.96] * 5, "not distinguishable"),
        ("list-maximum", [1.0] * 5, "better"),
    ],
)
def test_a_verdict_needs_an_interval_without_zero(task: str, scores: list[float], verdict: str) -> None:
    (one,) = compare([scored("char-cnn", task, scores)])
    assert one.difference == pytest.approx(one.result.mean - one.paper.mean)
    assert one.verdict == verdict
    assert one.reason == ""
    assert one.interval
    assert sum(one.interval) / 2 == pytest.approx(one.difference)


def test_the_interval_is_welchs() -> None:
    from scipy.stats import ttest_ind_from_stats

    scores = [2.0, 2.6, 3.1, 2.2, 4.0]
    (one,) = compare([scored("char-cnn", "decoding", scores)])
    ours = (one.result.mean, one.result.std, 5)
    # scipy 1.11 gives no interval here, so find where its p-value is 5 %
    assert one.interval
    for end in one.interval:
        shifted = ttest_ind_from_stats(ours[0] - end, *ours[1:], 2.5, 0.49, 5, equal_var=False)
        assert shifted.pvalue == pytest.approx(0.05)


def test_samples_of_one_distribution_set_off_as_many_false_alarms_as_expected() -> None:
    rng, result = np.random.default_rng(0), make_result()
    verdicts = []
    for _ in range(2000):
        ours, theirs = rng.normal(50, 5, 5), rng.normal(50, 5, 5)
        paper = Published(round(theirs.mean(), 2), round(theirs.std(ddof=1), 2), "Table 4")
        verdicts.append(Compared(replace(result, scores=ours.tolist()), paper).verdict)
    assert 0.03 < np.mean([verdict != "not distinguishable" for verdict in verdicts]) < 0.06


@pytest.mark.parametrize(
    ("ours", "verdict"), [(0.30, "not distinguishable"), (0.305, "not distinguishable"), (0.31, "behind")]
)
def test_deviations_of_zero_leave_the_papers_rounding(ours: float, verdict: str) -> None:
    paper = Published(0.30, 0.0, "Table 4")
    assert Compared(scored("value", "addition", [ours] * 5), paper).verdict == verdict


@pytest.mark.parametrize(
    ("cell", "changed", "reason"),
    [
        ({"task": "decoding", "numbers": "0:50", "probe": "linear"}, {}, "the paper gives no deviation"),
        (
            {"task": "list-maximum", "numbers": "0:150", "test_range": "151:180"},
            {},
            "the paper gives no deviation, the shuffles share their numbers",
        ),
        ({"task": "decoding"}, {"coverage": {"covered": 90, "asked": 100}}, "the embedder lacks numbers of the range"),
        ({"task": "decoding", "seeds": 1}, {}, "one shuffle has no deviation"),
    ],
)
def test_without_deviations_of_the_same_numbers_there_is_no_verdict(
    cell: dict[str, object], changed: dict[str, object], reason: str
) -> None:
    (one,) = compare([replace(make_result("random", **cell), **changed)])
    assert (one.verdict, one.interval) == ("no verdict", None)
    assert one.reason == reason


def test_counts_are_per_table_lists_and_quickness() -> None:
    results = [
        scored("char-cnn", "decoding", [2.5] * 5),
        scored("value", "decoding", [9.0] * 5),
        scored("value", "decoding", [9.0] * 2, seeds=2),
        scored("random", "decoding", [10.0] * 5, form="words"),
        scored("value", "decoding", [1.0] * 5, numbers="0:77"),
        scored("value", "list-maximum", [0.99] * 5),
        scored("value", "list-maximum:sampler=appendix", [0.99] * 5),
        scored("value", "list-maximum:sampler=uniform", [0.99] * 5),  # the paper has no such lists
        scored("random", "decoding", [13.0] * 5, numbers="0:50", probe="linear"),
    ]
    names = ("cells", "better", "not_distinguishable", "behind", "no_verdict", "false_alarms_expected")
    assert [(one["table"], one["quick"], *(one[name] for name in names)) for one in count(compare(results))] == [
        ("Table 4", False, 3, 0, 2, 1, 0, 0.15),
        ("Table 4", True, 1, 0, 0, 1, 0, 0.05),
        ("Table 4, appendix lists", False, 1, 0, 1, 0, 0, 0.05),
        ("Table 8", False, 1, 0, 0, 0, 1, 0.0),
        ("Table 10", False, 1, 1, 0, 0, 0, 0.05),
    ]


def test_another_metric_is_not_compared() -> None:
    assert compare([make_result("value").rescored("r2")]) == []
