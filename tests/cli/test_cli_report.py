from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.cli import main
from numprobe.experiments import Store, load_suite
from tests.conftest import make_result

SUITE = 'probe = "linear"\nseeds = 2\n[[cells]]\nembedder = ["value", "random"]\ntask = "decoding"\nrange = "0:40"\n'


@pytest.fixture(autouse=True)
def a_store_with_two_suites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NUMPROBE_STORE", "NUMPROBE_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "")  # so that it is as before when the test is over
    Path("mine.toml").write_text(SUITE)
    results = [make_result("value", numbers="0:40", probe="linear", seeds=2), make_result("random", missing="restrict")]
    for cell in load_suite("linear").cells[:1]:
        results.append(make_result(cell.embedder, cell.task, cell.range, probe=cell.probe, missing="restrict"))
    for result in results:
        Store("numprobe-results").save(result.cell, result)


def test_the_report_holds_the_papers_suites_and_everything_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report"]) == 0
    assert capsys.readouterr().out == "report.html\n"
    text = Path("report.html").read_text()
    assert "(Table 8)" in text
    assert "Your results" in text
    assert "numprobe reproduce linear" in text
    assert sorted(path.name for path in Path().iterdir()) == ["mine.toml", "numprobe-results", "report.html"]


def test_a_report_of_some_suites_holds_nothing_else() -> None:
    assert main(["report", "mine.toml", "--out", "folder/mine.html"]) == 0
    text = Path("folder/mine.html").read_text()
    assert "numprobe run mine.toml" in text
    assert "Your results" not in text


def test_the_published_results_make_a_page() -> None:
    assert main(["report", "linear", "--published", "--store", "none"]) == 0
    text = Path("report.html").read_text()
    assert "those that come with numprobe" in text
    assert "numprobe plot against-paper --published" in text


def test_tables_of_the_published_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "negatives", "--published", "--store", "none", "--format", "latex"]) == 0
    text = capsys.readouterr().out
    assert r"\toprule" in text
    assert "char-lstm & " in text


def test_quick_results_of_a_suite_are_shown_and_marked(capsys: pytest.CaptureFixture[str]) -> None:
    for cell in load_suite("negatives").quick().cells[:1]:
        Store("numprobe-results").save(cell, replace(make_result(task="list-maximum", seeds=cell.seeds), cell=cell))
    assert main(["show", "negatives", "--format", "markdown"]) == 0
    assert "quick" in capsys.readouterr().out


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_goes_to_a_file(ending: str) -> None:
    assert main(["plot", "magnitude", "--out", f"picture.{ending}"]) == 0
    assert Path(f"picture.{ending}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "--store", "none"], "none holds no results yet"),
        (["report", "figure"], "numprobe-results holds no results of figure yet"),
        (["report", "integrs"], "did you mean 'integers'?"),
        (["report", "--out", "mine.toml/report.html"], "can't write mine.toml/report.html"),
        (["plot", "predictons"], "did you mean 'predictions'?"),
        (["plot", "layers"], "has what the chart 'layers' shows"),
        (["plot", "magnitude", "--out", "picture.gif"], "unknown chart format '.gif'"),
    ],
)
def test_mistakes_end_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
