from dataclasses import replace

import pytest

from numprobe.experiments import Result
from numprobe.reports import comparison_tables
from tests.conftest import make_result


def test_comparisons_are_tables_of_the_papers_tables(results: list[Result]) -> None:
    further = make_result("char-lstm", "list-maximum", "0:150", test_range="151:180")
    first, second, others = comparison_tables([further, *results])
    assert first.title == "Table 4, 4 cells: 1 better, 3 not distinguishable"
    assert first.notes[1:] == ["if no cell truly differed, 0.2 would still be better or behind by chance"]
    assert second.title == "Table 7, 1 cell: 1 no verdict"
    assert second.notes == ["no verdict in 1: the paper gives no deviation, the shuffles share their numbers"]
    assert others.title == "Not in the paper"
    assert all(
        others.records[0][key] is None for key in ("difference", "verdict", "reason", "difference_low", "paper_mean")
    )
    assert list(first.rows[0]) == [
        "char-cnn",
        "decoding (rmse)",
        "[0,99]",
        "0.75 ± 0.40\n2.50 ± 0.49",
        "-1.75 ± 0.65",
        "better",
    ]
    own = first.records[0]
    assert (own["table"], own["verdict"], own["reason"]) == ("Table 4", "better", "")
    assert own["difference"] == pytest.approx(-1.75)
    assert own["difference_low"] < own["difference"] < own["difference_high"] < 0


def test_a_table_says_why_rows_have_no_verdict_and_marks_outlying_shuffles() -> None:
    part = replace(make_result("glove-840b-300d-bert-words"), coverage={"covered": 90, "asked": 100})
    odd = replace(make_result("value"), scores=[2.1, 2.0, 2.3, 9.4, 2.2])
    (table,) = comparison_tables([part, odd])
    assert table.rows[0][3:] == ["0.75 ± 0.40\n2.23 ± 1.26", "-1.48", "no verdict"]
    assert table.rows[1][3].startswith("3.60 ± 3.24†\n")
    assert table.notes[2] == "no verdict in 1: the embedder lacks numbers of the range"
    assert table.notes[3].startswith("† some shuffles are far from the others")
    assert [record["reason"] for record in table.records] == ["the embedder lacks numbers of the range", ""]


def test_both_samplers_of_lists_are_compared_the_released_one_first() -> None:
    tasks = ("list-maximum:sampler=appendix", "list-maximum")
    titles = [table.title for table in comparison_tables([make_result("value", task) for task in tasks])]
    assert [title.partition(", 1 cell")[0] for title in titles] == ["Table 4", "Table 4, appendix lists"]
