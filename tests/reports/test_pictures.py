import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.reports.charts import save_chart
from numprobe.reports.pictures import PICTURES, PLACES
from tests.conftest import make_result
from tests.reports.foreign import doubled


def rows(chart: Any) -> list[dict[str, Any]]:
    """The largest data set of a chart."""
    return max(chart.to_dict()["datasets"].values(), key=len)


@pytest.fixture
def figure() -> list[Result]:
    return [make_result(e, "decoding", "-50:50", test_range="-200:200") for e in ("value", "random")]


def test_a_picture_of_nothing_is_none() -> None:
    assert all(picture.draw([]) is None for picture in PICTURES.values())
    adding = [make_result("char-cnn:padding=right", "addition")]
    assert all(picture.draw(adding) is None for picture in PICTURES.values())


def test_predictions_inside_are_of_held_out_numbers_and_no_number_outside_is_missing(figure: list[Result]) -> None:
    drawn = [row for row in rows(PICTURES["predictions"].draw(figure)) if row["embedder"] == "value"]
    inside = {row["number"] for row in drawn if row["place"] == PLACES[0]}
    assert inside == {value for value in figure[0].held_out(0) if -50 <= value <= 50}
    assert 15 <= len(inside) <= 25
    assert {row["number"] for row in drawn} - inside == {*range(-200, -50), *range(51, 201)}


def test_many_predictions_are_thinned_evenly() -> None:
    wide = make_result("value", "decoding", "-50:50", test_range="-2000:2000")
    outside = [row["number"] for row in rows(PICTURES["predictions"].draw([wide])) if row["place"] == PLACES[1]]
    assert 200 <= len(outside) <= 300
    assert max(outside) > 1950
    assert min(outside) < -1950


def test_error_by_magnitude_is_the_error_of_the_predictions_in_each_part() -> None:
    small, large = make_result("value", numbers="0:99"), make_result("value", numbers="0:999")
    drawn = rows(PICTURES["magnitude"].draw([small, large]))
    assert {row["panel"] for row in drawn} == {"decoding (rmse) [0,999]"}  # the largest range of the form
    assert [row["error"] for row in drawn] == [pytest.approx(0.5)] * 10  # make_result is off by a half
    assert sum(row["predictions"] for row in drawn) == 5 * 200


def test_other_tasks_about_single_values_have_a_panel_of_their_own() -> None:
    drawn = rows(PICTURES["magnitude"].draw([doubled(), make_result()]))
    errors = {row["panel"]: row["error"] for row in drawn}
    assert errors == {"doubling (rmse) [0,99]": 0.0, "decoding (rmse) [0,99]": pytest.approx(0.5)}


def test_only_the_tasks_own_probe_is_drawn_by_magnitude() -> None:
    assert PICTURES["magnitude"].draw([make_result(probe="linear")]) is None


def test_ours_against_the_paper_holds_what_the_paper_reports() -> None:
    reported = [make_result("value"), make_result("value", "list-maximum", "0:999")]
    other = make_result("char-cnn:padding=right")
    drawn = rows(PICTURES["against-paper"].draw([*reported, other]))
    assert [(row["ours"], row["paper"], row["metric"]) for row in drawn] == [
        (0.75, 1.2, "rmse"),
        (0.75, 0.88, "accuracy"),
    ]


def test_error_by_pieces_counts_the_pieces_of_each_number() -> None:
    cut = replace(make_result("value"), pieces=[len(str(number)) for number in range(100)])
    drawn = rows(PICTURES["pieces"].draw([cut, make_result("random")]))
    held_out = [value for seed in range(5) for value in make_result().held_out(seed)]
    assert {row["pieces"]: row["predictions"] for row in drawn} == {
        1: sum(value < 10 for value in held_out),
        2: sum(value >= 10 for value in held_out),
    }


def test_layers_are_drawn_where_there_is_a_sweep() -> None:
    sweep = replace(make_result("smollm2-135m:layer=all"), layers=[[float(n)] * 5 for n in range(3)])
    assert {row["layer"] for row in rows(PICTURES["layers"].draw([sweep, make_result()]))} == {0, 1, 2}


EVIL = "<img src=x onerror=alert(1)></script><b>"


@pytest.mark.parametrize("ending", [".svg", ".html"])
def test_names_with_markup_are_text_in_a_picture(tmp_path: Path, ending: str) -> None:
    named = replace(make_result(), cell=Cell.make(len, "decoding", "0:99", name=EVIL))
    path = tmp_path / f"picture{ending}"
    save_chart(PICTURES["magnitude"].draw([named, make_result("value")]), str(path))
    text = path.read_text(encoding="utf-8")
    assert EVIL not in text
    assert "onerror=alert(1)" in text
    assert "<img" not in text.rpartition("</script>")[0].rpartition("<script")[2]


def test_predictions_that_belong_to_other_numbers_are_refused() -> None:
    result = make_result()
    assert result.predictions
    with pytest.raises(NumprobeError, match="has 19 predictions for 20 questions"):
        PICTURES["magnitude"].draw([replace(result, predictions=[row[1:] for row in result.predictions])])


@pytest.mark.parametrize(
    "command", ["plot predictions --published", "report --published", "inspect value --plot x.svg"]
)
def test_charts_without_altair_say_what_to_install(command: str, tmp_path: Path) -> None:
    code = "import sys; sys.modules['altair'] = None; from numprobe.cli import main; sys.exit(main(sys.argv[1:]))"
    ended = subprocess.run(
        [sys.executable, "-c", code, *command.split()], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "numprobe: charts need altair and vl-convert-python: pip install 'numprobe[plot]'\n"
