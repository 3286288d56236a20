from dataclasses import replace

import pytest

from numprobe.experiments import Result
from numprobe.reports import comparison_tables
from tests.conftest import make_result


def test_comparisons_are_tables_of_the_papers_tables(results: list[Result]) -> None:
    further = make_result("char-lstm", "list-maximum", "0:150", test_range="151:160")
    first, second, others = comparison_tables([further, *results])
    assert first.title == "Table 4, 4 cells: 1 better, 3 not distinguishable"
    assert first.notes == ["If no cell truly differed, 0.2 would still be better or behind by chance."]
    assert second.title == "Table 7, 1 cell: 1 no verdict"
    assert second.notes == []
    assert others.title == "Not in the paper"
    assert all(others.records[0][key] is None for key in ("difference", "verdict", "reason", "low", "paper_mean"))
    assert list(first.rows[0]) == [
        "char-cnn",
        "decoding (rmse)",
        "[0,99]",
        "0.75 ± 0.40",
        "2.50 ± 0.49",
        "-1.75",
        "-2.40 to -1.10",
        "better",
    ]
    own = first.records[0]
    assert (own["table"], own["verdict"], own["reason"]) == ("Table 4", "better", "")
    assert own["difference"] == pytest.approx(-1.75)
    assert own["low"] < own["difference"] < own["high"] < 0


def test_a_row_without_a_verdict_says_why() -> None:
    part = replace(make_result("glove-840b-300d-bert-words"), coverage={"covered": 90, "asked": 100})
    further = make_result("char-lstm", "list-maximum", "0:150", test_range="151:160")
    first, second = comparison_tables([part, further])
    assert first.rows[0][3:] == ["0.75 ± 0.40 (90 of 100)", "2.23 ± 1.26", "-1.48", "", first.rows[0][-1]]
    assert first.rows[0][-1] == "no verdict: the embedder has 90 of 100 numbers"
    assert second.rows[0][-1] == "no verdict: the paper gives no deviation, the shuffles share their numbers"


def test_both_samplers_of_lists_are_compared_the_released_one_first() -> None:
    tasks = ("list-maximum:sampler=appendix", "list-maximum")
    titles = [table.title for table in comparison_tables([make_result("value", task) for task in tasks])]
    assert [title.partition(", 1 cell")[0] for title in titles] == ["Table 4", "Table 4, appendix lists"]
