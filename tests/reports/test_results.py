from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.reports import Results
from tests.conftest import make_result


def test_results_print_convert_and_plot(results: list[Result]) -> None:
    both = Results(results[:2])
    assert "char-cnn" in str(both)
    assert "the paper's below" in str(both)
    assert repr(both) == "<Results: 2 results>"
    assert both.to_frame()["mean"].tolist() == [0.75, 0.75]
    assert "| char-cnn |" in both._repr_markdown_()
    assert len(both[:1]) == 1
    assert both[:1].mean == 0.75
    assert both[0].std == pytest.approx(both[:1].std)
    with pytest.raises(NumprobeError, match="there are 2 results"):
        _ = both.scores


def test_names_with_markup_are_text_in_a_terminal() -> None:
    name = r"\[/bold] [x]"
    named = replace(make_result(), cell=Cell.make(len, "decoding", "0:99", name=name))
    assert name in str(Results([named]))


def test_charts_hold_the_data(results: list[Result]) -> None:
    decoding = [result for result in results if result.predictions]
    predictions = Results(decoding[:1]).plot().to_dict()
    assert sum(len(rows) for rows in predictions["datasets"].values()) >= 5 * 20
    scores = Results(results).plot().to_dict()
    assert max(len(rows) for rows in scores["datasets"].values()) == 6 * 5


def test_every_task_range_form_and_probe_has_a_panel_of_its_own() -> None:
    different = [
        make_result("value", "addition"),
        make_result("value", "addition", "0:50"),
        make_result("value", "addition", "0:50", form="words"),
        make_result("value", "addition", "0:50", test_range="51:60"),
        make_result("value", "addition", "0:50", probe="linear"),
        make_result("value", "addition:pair_share=0.5"),
    ]
    drawn = Results(different).plot().to_dict()
    panels = {row["panel"] for rows in drawn["datasets"].values() for row in rows}
    assert len(panels) == len(different)


def test_layers_come_in_their_order() -> None:
    sweep = replace(make_result("smollm2-135m:layer=all"), layers=[[float(n)] * 5 for n in range(12)])
    lines = [line for line in Results([sweep])._repr_markdown_().splitlines() if line.startswith("|")]
    rows = [line.split("|")[1].strip() for line in lines[2:]]
    assert rows == [f"smollm2-135m:layer={n}" for n in range(12)]
    assert len(Results([sweep]).to_frame()) == 12
    chart = Results([sweep]).plot().to_dict()
    assert {point["layer"] for points in chart["datasets"].values() for point in points} == set(range(12))


def test_every_kind_of_file(tmp_path: Path) -> None:
    results = Results([make_result(), make_result("random")])
    for ending in ("md", "html", "csv", "json", "tex", "svg", "parquet"):
        results.save(tmp_path / f"table.{ending}")
        assert (tmp_path / f"table.{ending}").stat().st_size > 200
    with pytest.raises(NumprobeError, match=r"unknown format of a table '\.xyz'"):
        results.save(tmp_path / "table.xyz")
    assert results.to_latex().startswith("% Mean")


def test_what_a_notebook_shows_is_escaped() -> None:
    evil = replace(make_result(), cell=replace(make_result().cell, embedder="<script>alert(1)</script>"))
    shown = Results([evil])._repr_html_()
    assert "<table>" in shown
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_results_compare_on_the_same_task_and_numbers() -> None:
    shuffles = [1.0, 2.0, 3.0, 4.0, 5.0]
    results = Results(
        [
            replace(make_result("value"), scores=shuffles),
            replace(make_result("random"), scores=[score + 3 + score / 100 for score in shuffles]),
            make_result("value", "addition"),
        ]
    )
    (pair,) = compared = results.compare()
    assert pair.better is not None
    assert pair.better.cell.embedder == "value"
    assert "random" in str(compared)
    assert compared.to_frame()["better"].tolist() == ["value"]
    assert "<table>" in compared._repr_html_()
    assert repr(compared) == "<Comparisons: 1>"
