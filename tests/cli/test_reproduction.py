import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from numprobe.cli import main
from numprobe.embedders.sources.catalogue import catalogue, variable
from numprobe.metrics import METRICS, Metric
from numprobe.tasks import Answer

PROBE = ["probe", "--alone", "--embedder", "value", "--range", "0:40", "--probe", "linear", "--seeds", "2"]
QUICK = ["linear", "--quick"]


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NUMPROBE_STORE", raising=False)
    for name in catalogue():
        monkeypatch.setenv(variable(name), "")


@dataclass(frozen=True)
class AbsoluteError(Metric):
    """The mean distance from the right value."""

    name: ClassVar[str] = "absolute-error"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.mean(np.abs(answers - truths)))


def test_reproduce_then_compare(capsys: pytest.CaptureFixture[str]) -> None:
    only = [*QUICK, "--embedder", "random", "--embedder", "elmo"]
    assert main(["reproduce", *only, "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Decoding with linear regression (Table 8), quick\n")
    assert "over 2 shuffles, quick" in out
    assert "numprobe: elmo is not here: put ELMo's" in err
    assert "numprobe: linear: 0." in err
    assert main(["reproduce", "--compare", *only]) == 0
    out = capsys.readouterr().out
    assert "Table 8, quick, 3 cells: 3 no verdict" in out
    assert "13.86" in out
    assert "fails on large ranges: the learned Char-CNN is better on [0,9999]: not measured" in out
    assert main(["reproduce", "--compare", *only, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["range"] for one in document["compared"]] == 2 * ["0:50", "-50:50", "0:999"]
    assert all(one["quick"] and one["seeds"] == 2 for one in document["compared"])
    assert [(one["table"], one["cells"]) for one in document["counts"]] == [
        ("Table 8", 3),
        ("Table 8, linear:penalty=0", 3),
    ]
    assert len(document["findings"]) == 10
    assert main(["reproduce", *only, "--workers", "1", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 6


def test_rows_run_as_soon_as_they_are_given(capsys: pytest.CaptureFixture[str]) -> None:
    Path("numbers.txt").write_text("".join(f"{number} {number} 1\n" for number in range(51)))
    Path("settings.toml").write_text('[weights]\nword2vec = "nowhere.txt"\n')
    command = ["run", "mine.toml", "--workers", "1", "--json"]
    Path("mine.toml").write_text(
        'task = "decoding"\nprobe = "linear"\nseeds = 2\n[[cells]]\nembedder = ["word2vec", "random"]\nrange = "0:50"\n'
    )
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert [entry["cell"]["embedder"] for entry in json.loads(out)] == ["random"]
    assert "word2vec is not here" in err
    assert main([*command, "--settings", "settings.toml", "--weights", "word2vec=numbers.txt"]) == 0
    assert [entry["cell"]["embedder"] for entry in json.loads(capsys.readouterr().out)] == ["word2vec", "random"]
    assert main([*command, "--settings", "settings.toml"]) == 2
    assert "nowhere.txt does not exist" in capsys.readouterr().err


def test_published_results_compare_without_a_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--compare", "linear", "--published", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {row["verdict"] for row in document["compared"] if row["table"]} == {"no verdict"}
    assert document["counts"][0]["no_verdict"] == document["counts"][0]["cells"]
    assert not list(Path().iterdir())


def test_comparing_shows_what_the_paper_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text(
        'probe = "linear"\nseeds = 2\n[[cells]]\nembedder = ["value", "random"]\ntask = "decoding"\nrange = "0:50"\n'
    )
    assert main(["run", "mine.toml", "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["reproduce", "--compare", "mine.toml"]) == 0
    out = capsys.readouterr().out
    assert "Table 8, quick, 1 cell: " in out
    assert out.index("Not in the paper") < out.index("value")
    assert main(["reproduce", "--compare", "mine.toml", "--json"]) == 0
    rows = {row["embedder"]: row for row in json.loads(capsys.readouterr().out)["compared"]}
    assert rows["random"]["table"] == "Table 8"
    assert all(rows["value"][key] is None for key in ("table", "paper_mean", "difference", "verdict"))


def test_layers_are_compared_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--compare", "layers", "--published", "--embedder", "minilm-l6", "--json"]) == 0
    embedders = [row["embedder"] for row in json.loads(capsys.readouterr().out)["compared"]]
    assert embedders == [f"minilm-l6:layer={layer}" for layer in (0, 1, 2, "best")]


def test_another_metric(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS.makers, "absolute-error", AbsoluteError)
    assert main([*PROBE, "--metric", "absolute-error", "--json"]) == 0
    rescored = json.loads(capsys.readouterr().out)
    assert main([*PROBE, "--json"]) == 0
    own = json.loads(capsys.readouterr().out)
    assert (rescored["metric"], own["metric"]) == ("absolute-error", "rmse")
    assert 0 < rescored["mean"] < own["mean"]
    assert main(["show", "integers", "--published", "--metric", "absolute-error", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("numprobe: ")
    assert "results are left out: metric 'absolute-error' can't score the answers of " in err
    assert err.count("\n") == 1
    document = json.loads(out)
    assert {(row["metric"], row["mean"]) for row in document} == {("absolute-error", 0.5)}
    assert all(row["paper"] is None for row in document)
    for command in (["show", "integers"], ["report", "integers"], ["plot", "magnitude", "integers"]):
        assert main([*command, "--published", "--metric", "absolute-error"]) == 0


def test_show_writes_files(capsys: pytest.CaptureFixture[str]) -> None:
    import pandas as pd

    assert main(PROBE) == 0
    assert main(["show", "--format", "parquet", "--out", "results.parquet"]) == 0
    assert pd.read_parquet("results.parquet")["embedder"].tolist() == ["value"]
    assert main(["show", "--format", "latex", "--alone", "--out", "table.tex"]) == 0
    assert r"\toprule" in Path("table.tex").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "integer"], "unknown suite of the paper 'integer'; did you mean 'integers'?"),
        (["reproduce", "linear", "--embedder", "valu"], "unknown embedder of suite 'linear'"),
        (["reproduce", "linear", "--published"], "--published goes with --compare"),
        (["compare", "linear"], "there is only linear to compare: name another embedder"),
        (["compare", "value", "randm"], "unknown embedder 'randm'; did you mean 'random'?"),
        (["compare", "value", "random", "--seeds", "1"], "a comparison needs at least two shuffles"),
        (
            ["reproduce", "--compare", *QUICK],
            "holds no results of linear yet: make some with numprobe run linear --quick",
        ),
        (["reproduce", "--compare", "--weights", "elmo"], "--weights elmo: write NAME=FILE"),
        (["reproduce", "--compare", "--weights", "elm=x"], "did you mean 'elmo'?"),
        (["reproduce", "--compare", "--settings", "none.toml"], "can't read settings none.toml: No such file"),
        (["show", "linear", "--published", "--metric", "accuracy"], "no result can be scored in metric 'accuracy'"),
        (["show", "linear", "--published", "--metric", "acuracy"], "did you mean 'accuracy'?"),
        (["probe", "--embedder", "elmo"], "elmo is not here: put ELMo's"),
    ],
)
def test_mistakes_end_in_one_line_and_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
