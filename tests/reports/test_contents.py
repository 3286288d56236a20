"""Results, comparisons and studies as tables."""

import csv
import io
import json
from dataclasses import replace

import pytest

from numprobe.analysis import compare
from numprobe.drop.studies import Figures, Study
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.metrics import METRICS
from numprobe.reports import render, result_tables, study_tables
from tests.conftest import make_result
from tests.reports.foreign import LargestError, Roman, doubled

STUDY = Study(
    "stress",
    "a <model>",
    ("Trained with 7,600 real questions.",),
    (
        Figures("original", "superlative", 1900, 50.0, 60.0),
        Figures("multiply:low=11,high=100", "superlative", 1900, 20.0, 25.04, -34.96, 2.0),
    ),
)


def markdown(*results: Result) -> str:
    return str(render(result_tables(results), "markdown"))


def test_every_format_holds_our_number_and_the_papers(results: list[Result]) -> None:
    tables = result_tables(results)
    for form in ("markdown", "latex"):
        text = render(tables, form)
        assert "0.75" in text
        assert "2.50" in text
    assert r"\toprule" in render(tables, "latex")
    rows = list(csv.DictReader(io.StringIO(render(tables, "csv"))))
    assert len(rows) == 6
    assert rows[0]["paper_mean"] == "2.5"
    assert [float(score) for score in rows[0]["scores"].split()] == results[0].scores
    document = json.loads(render(tables, "json"))
    assert document[0]["paper"] == {"mean": 2.5, "std": 0.49, "table": "Table 4"}
    assert document[4]["paper"] is None
    picture = render(tables, "svg")
    assert "0.75" in picture
    assert "url(http" not in picture
    with pytest.raises(NumprobeError, match="unknown format 'latx'; did you mean 'latex'"):
        render(tables, "latx")


def test_the_papers_rows_and_tasks_come_first_in_its_order_and_the_others_naturally() -> None:
    names = ("char-cnn:padding=right", "smollm2-135m:layer=10", "smollm2-135m:layer=2", "char-cnn", "value")
    tasks = ("addition", "decoding", "list-maximum")
    text = markdown(*(make_result(name, task) for name in names for task in tasks))
    head, _, *rows = (line for line in text.splitlines() if line.startswith("|"))
    assert [row.split("|")[1].strip() for row in rows] == [
        "value",
        "char-cnn",
        "char-cnn:padding=right",
        "smollm2-135m:layer=2",
        "smollm2-135m:layer=10",
        "(guessing)",
    ]
    assert head.index("list-maximum") < head.index("decoding") < head.index("addition")


def test_floors_and_the_ceiling_stand_below_where_they_are_known() -> None:
    known = [
        replace(make_result("length"), scores=[9.0] * 5),
        replace(make_result("digit-one-hots"), scores=[0.5] * 5),
        replace(make_result("value"), scores=[0.25] * 5),
        replace(make_result("first-digit", "decoding", "0:999"), scores=[0.1] * 5),
    ]
    (table,) = result_tables([make_result("random")], known=known)
    assert table.rows[-2:] == [["(best string)", "0.50 ± 0.00"], ["(the value itself)", "0.25 ± 0.00"]]
    (with_rows,) = result_tables([make_result("random"), *known[:3]], known=known)
    assert "(best string)" not in {row[0] for row in with_rows.rows}


def test_a_table_of_trained_numbers_tells_what_is_not_learned_by_heart() -> None:
    own, dealt = (
        replace(make_result(name, "list-maximum", test_range="trained"), metric="accuracy", scores=[score] * 5)
        for name, score in (("char-cnn", 0.9), ("shuffled:of=char-cnn", 0.6))
    )
    (table,) = result_tables([own, dealt])
    assert any(note.startswith("selectivity of char-cnn") and note.endswith("+0.30") for note in table.notes)


def test_columns_tell_ranges_forms_probes_and_missing_numbers_apart() -> None:
    words = make_result("value", "decoding", "0:50", form="words", probe="linear")
    further = make_result("value", "decoding", "0:50", test_range="51:60")
    partly = replace(make_result("random", "addition", "0:50"), coverage={"covered": 40, "asked": 51})
    text = markdown(words, further, partly)
    assert "decoding (rmse, linear) [0,50] in words" in text
    assert "decoding (rmse) [0,50] → [51,60]" in text
    assert "(40 of 51)" in text


def test_parts_from_outside_have_columns_of_their_own_after_the_papers() -> None:
    roman = replace(make_result(), cell=Cell.make("value", "decoding", "0:99", Roman()))
    head = markdown(doubled(), roman, make_result()).splitlines()[2]
    assert head == "| embedder | decoding (rmse) [0,99] | decoding (rmse) [0,99] as roman | doubling (rmse) [0,99] |"


def test_another_metric_is_named_and_has_no_number_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS.makers, "largest-error", LargestError)
    rescored = make_result().rescored("largest-error")
    assert compare([rescored]) == []
    text = markdown(rescored)
    assert "| decoding (largest-error) [0,99] |" in text
    assert "| value | 0.50 ± 0.00 |" in text
    assert "paper" not in text


def named(name: str) -> Result:
    return replace(make_result(), cell=Cell.make(len, "decoding", "0:99", name=name))


def test_names_are_escaped() -> None:
    assert r"my\_model" in render(result_tables([named("my_model")]), "latex")
    assert r"\textbackslash{}input\{x\}" in render(result_tables([named(r"\input{x}")]), "latex")
    assert "| &lt;img src=x&gt; |" in markdown(named("<img src=x>"))


def test_the_paper_stands_beside_the_whole_range_only() -> None:
    whole = make_result("glove-840b-300d-bert-words", missing="restrict")
    part = replace(whole, coverage={"covered": 90, "asked": 100})
    assert "2.23 ± 1.26" in markdown(whole)
    assert "2.23" not in markdown(part)
    assert "(90 of 100)" in markdown(part)


def test_our_numbers_can_stand_alone(results: list[Result]) -> None:
    for form in ("markdown", "latex", "csv", "svg"):
        text = render(result_tables(results, with_paper=False), form)
        assert "0.75" in text
        assert "2.50" not in text
        assert "paper's" not in text


def test_parquet_holds_what_csv_holds(results: list[Result]) -> None:
    pd = pytest.importorskip("pandas")
    tables = result_tables(results)
    frame = pd.read_parquet(io.BytesIO(render(tables, "parquet")))
    assert frame["paper_mean"].tolist()[0] == 2.5
    assert frame["scores"].map(list).tolist() == [result.scores for result in results]
    assert list(frame) == list(csv.DictReader(io.StringIO(render(tables, "csv"))).fieldnames)


def test_fewer_shuffles_are_called_quick() -> None:
    assert "over 2 shuffles, quick" in markdown(make_result(seeds=2))
    assert "quick" not in markdown(make_result())


def test_a_paper_without_deviations_shows_none() -> None:
    assert "(0.84)" in markdown(make_result("char-lstm", "list-maximum", "0:150", test_range="151:180"))


def test_studies_show_the_papers_scores_beside_ours() -> None:
    lines = str(render(study_tables([STUDY]), "markdown")).splitlines()
    assert lines[2] == STUDY.notes[0]
    assert lines[-1] == "| Multiply [11, 100] | Superlative | 1,900 | 20.0 | 25.0 | -35.0 ± 2.0 | 32.0 | -35.7 |"


def test_every_format_of_a_study_has_its_note() -> None:
    tables = study_tables([STUDY])
    assert json.loads(render(tables, "json"))[0]["notes"] == list(STUDY.notes)
    (_, row, _) = csv.reader(io.StringIO(render(tables, "csv")))
    assert row[-1] == STUDY.notes[0]
    assert len(row) == 8 + 3, "the paper does not print EM, so there is no column for it"
    latex = render(tables, "latex")
    assert f"% {STUDY.notes[0]}" in latex
    assert r"$\Delta$F1" in latex
    assert latex.count("&") == (8 - 1) * 3


def test_outlying_shuffles_are_marked_and_the_median_stands_beside_the_mean() -> None:
    odd = replace(make_result(), scores=[2.1, 2.0, 2.3, 9.4, 2.2])
    tables = result_tables([odd, make_result("random")])
    assert "| value | 3.60 ± 3.24, median 2.20†* (1.20 ± 0.76) |" in str(render(tables, "markdown"))
    assert r"3.60 $\pm$ 3.24, median 2.20$\dagger$" in str(render(tables, "latex"))
    for form in ("markdown", "latex", "svg"):
        text = str(render(tables, form)).replace("&#160;", " ")
        assert text.count("†") + text.count("dagger") == 2  # the score, and the note
        assert "far from the others" in text
    assert [record["outlying"] for record in tables[0].records] == [[3], []]
    assert tables[0].records[0]["median"] == 2.2
    assert "†" not in markdown(make_result())


def test_rows_about_different_numbers_have_a_column_in_which_they_compare() -> None:
    whole = replace(make_result("random"), more={"normalised-error": [0.5] * 5})
    part = replace(
        make_result(), coverage={"covered": 90, "asked": 100}, more={"normalised-error": [0.25] * 5}, predictions=None
    )
    head, _, *rows = (line for line in markdown(whole, part).splitlines() if line.startswith("|"))
    assert head == "| embedder | decoding (rmse) [0,99] | decoding (normalised-error) [0,99] |"
    assert rows[0].endswith("| 0.500 ± 0.000 |")
    assert rows[1] == "| value | 0.75 ± 0.40 (90 of 100) | 0.250 ± 0.000 (90 of 100) |"
    assert "normalised" not in markdown(whole)
    assert len(result_tables([whole, part])[0].records) == 2


def test_a_note_says_how_many_probes_stopped_at_the_limit() -> None:
    choices = [{"stopped": "at the limit"}, *[{"stopped": "by itself"}] * 4]
    tables = result_tables([replace(make_result(), choices=choices), replace(make_result("random"), choices=choices)])
    assert tables[0].notes[-1] == "2 of 10 probes stopped at the limit of steps"
    assert result_tables([replace(make_result(), choices=choices[1:])])[0].notes == []
