from dataclasses import replace

import pytest

from numprobe.analysis import compare, count
from numprobe.experiments import Result
from tests.conftest import make_result


def scored(embedder: str, task: str, scores: list[float], **cell: object) -> Result:
    return replace(make_result(embedder, task, **cell), scores=scores)


@pytest.mark.parametrize(
    ("task", "scores", "within", "as_good"),
    [
        ("decoding", [2.5] * 5, True, True),  # the paper has 2.50 ± 0.49
        ("decoding", [2.504] * 5, True, True),  # the same at two decimals
        ("decoding", [3.45] * 5, True, False),
        ("decoding", [3.5] * 5, False, False),
        ("decoding", [3.0, 3.5, 4.0, 3.5, 3.5], True, False),  # our deviation counts too
        ("decoding", [0.1] * 5, False, True),
        ("list-maximum", [0.90] * 5, False, False),  # the paper has 0.97 ± 0.02
        ("list-maximum", [0.966] * 5, True, True),
    ],
)
def test_within_is_two_deviations_of_the_difference(
    task: str, scores: list[float], within: bool, as_good: bool
) -> None:
    (one,) = compare([scored("char-cnn", task, scores)])
    assert (one.within, one.at_least_as_good) == (within, as_good)
    assert one.difference == pytest.approx(one.result.mean - one.paper.mean)
    assert one.verdict == ("within" if within else "better" if as_good else "behind")


def test_a_paper_without_deviations_leaves_ours() -> None:
    further = {"numbers": "0:150", "test_range": "151:160"}
    same, apart = compare(
        scored("char-lstm", "list-maximum:sampler=appendix", scores, **further)
        for scores in ([0.8, 0.8, 0.9, 0.9], [0.8] * 4)
    )
    assert same.within
    assert not apart.within


def test_counts_are_per_table_lists_and_quickness() -> None:
    results = [
        scored("char-cnn", "decoding", [2.5] * 5),
        scored("value", "decoding", [9.0] * 5),
        scored("value", "decoding", [9.0] * 2, seeds=2),
        scored("random", "decoding", [10.0] * 5, form="words"),
        scored("value", "decoding", [1.0] * 5, numbers="0:77"),
        scored("value", "list-maximum:sampler=appendix", [0.99] * 5),
    ]
    counts = count(compare(results))
    assert [tuple(c[key] for key in ("table", "quick", "cells", "within_or_better")) for c in counts] == [
        ("Table 4", False, 2, 1),
        ("Table 4", True, 1, 0),
        ("Table 4, appendix lists", False, 1, 1),
        ("Table 10", False, 1, 1),
    ]
