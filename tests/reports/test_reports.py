import csv
import io
import json
from dataclasses import replace

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.reports import Results, alone, render
from tests.conftest import make_result


def test_every_format_holds_our_number_and_the_papers(results: list[Result]) -> None:
    for form in ("markdown", "latex"):
        text = render(results, form)
        assert "0.75" in text
        assert "2.50" in text
        assert text.index("value") < text.index("char-cnn")  # in the paper's order
    assert r"\toprule" in render(results, "latex")
    rows = list(csv.DictReader(io.StringIO(render(results, "csv"))))
    assert len(rows) == 6
    assert rows[0]["paper_mean"] == "2.5"
    assert [float(score) for score in rows[0]["scores"].split()] == results[0].scores
    document = json.loads(render(results, "json"))
    assert document[0]["paper"] == {"mean": 2.5, "std": 0.49, "table": "Table 4"}
    assert document[4]["paper"] is None
    picture = render(results, "svg")
    assert "0.75" in picture
    assert "url(http" not in picture
    with pytest.raises(NumprobeError, match="unknown format 'latx'; did you mean 'latex'"):
        render(results, "latx")


def test_protocols_stand_in_tables_of_their_own() -> None:
    text = str(Results([make_result(protocol="paper"), make_result(protocol="strict")]))
    assert text.index("protocol paper, 5 shuffles") < text.index("protocol strict, 5 shuffles")


def test_columns_tell_ranges_forms_probes_and_missing_numbers_apart() -> None:
    words = make_result("value", "decoding", "0:50", form="words", probe="linear")
    further = make_result("value", "decoding", "0:50", test_range="51:60")
    partly = Result(**{**vars(make_result("random", "addition", "0:50")), "coverage": {"covered": 40, "asked": 51}})
    text = render([words, further, partly], "markdown")
    assert "decoding (rmse, linear) [0,50] in words" in text
    assert "decoding (rmse) [0,50] → [51,60]" in text
    assert "(40 of 51)" in text


def test_latex_escapes_what_latex_would_read() -> None:
    assert r"my\_model" in render([make_result_named("my_model")], "latex")
    assert r"\textbackslash{}input\{x\}" in render([make_result_named(r"\input{x}")], "latex")


def test_names_with_markup_are_text_in_a_notebook_and_in_a_terminal() -> None:
    assert "| &lt;img src=x&gt; |" in render([make_result_named("<img src=x>")], "markdown")
    assert r"\[/bold] [x]" in str(Results([make_result_named(r"\[/bold] [x]")]))


def make_result_named(name: str) -> Result:
    cell = Cell.make(name, "decoding", "0:99", registered=False)
    return Result(**{**vars(make_result()), "cell": cell})


def test_results_print_convert_and_plot(results: list[Result]) -> None:
    both = Results(results[:2])
    assert "char-cnn" in str(both)
    assert "below each: the paper's" in repr(both)
    assert both.to_frame()["mean"].tolist() == [0.75, 0.75]
    assert "| char-cnn |" in both._repr_markdown_()
    assert len(both[:1]) == 1
    assert both[:1].mean == 0.75
    assert both[0].std == pytest.approx(both[:1].std)
    with pytest.raises(NumprobeError, match="there are 2 results"):
        _ = both.scores


def test_charts_hold_the_data(results: list[Result]) -> None:
    decoding = [result for result in results if result.predictions]
    predictions = Results(decoding[:1]).plot().to_dict()
    assert sum(len(rows) for rows in predictions["datasets"].values()) >= 5 * 20
    scores = Results(results).plot().to_dict()
    assert max(len(rows) for rows in scores["datasets"].values()) == 6 * 5


def test_the_paper_stands_beside_the_whole_range_only() -> None:
    whole = make_result("glove-840b-300d-bert-words", missing="restrict")
    part = replace(whole, coverage={"covered": 90, "asked": 100})
    assert "2.23 ± 1.26" in render([whole], "markdown")
    assert "2.23" not in render([part], "markdown")
    assert "(90 of 100)" in render([part], "markdown")


@pytest.mark.parametrize("task", ["decoding", "addition"])
def test_each_protocol_has_a_panel_of_its_own(task: str) -> None:
    both = [make_result("value", task, protocol=protocol) for protocol in ("paper", "strict")]
    drawn = Results(both).plot().to_dict()
    panels = {point["what"] for points in drawn["datasets"].values() for point in points if "what" in point}
    assert {panel.rpartition(", ")[2] for panel in panels} == {"paper", "strict"}


def test_layers_come_in_their_order() -> None:
    sweep = replace(make_result("smollm2-135m:layer=all"), layers=[[float(n)] * 5 for n in range(12)])
    rows = [line.split("|")[1].strip() for line in render([sweep], "markdown").splitlines()[4:]]
    assert rows == [f"smollm2-135m:layer={n}" for n in range(12)]
    assert len(Results([sweep]).to_frame()) == 12
    chart = Results([sweep]).plot().to_dict()
    assert {point["layer"] for points in chart["datasets"].values() for point in points} == set(range(12))


def test_ours_alone_in_every_format(results: list[Result]) -> None:
    for form in ("markdown", "latex", "csv", "svg"):
        text = render(results, form, alone)
        assert "0.75" in text
        assert "2.50" not in text
        assert "paper's" not in text


def test_parquet_holds_what_csv_holds(results: list[Result]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.read_parquet(io.BytesIO(render(results, "parquet")))
    assert frame["paper_mean"].tolist()[0] == 2.5
    assert frame["scores"].map(list).tolist() == [result.scores for result in results]
    assert list(frame) == list(csv.DictReader(io.StringIO(render(results, "csv"))).fieldnames)


def test_fewer_shuffles_are_called_quick() -> None:
    assert "strict, 2 shuffles, quick" in render([make_result(seeds=2)], "markdown")
    assert "quick" not in render([make_result()], "markdown")


def test_a_paper_without_deviations_shows_none() -> None:
    text = render([make_result("char-lstm", "list-maximum", "0:150", test_range="151:160")], "markdown")
    assert "(0.88)" in text
