import json
from pathlib import Path

import pytest

from numprobe.cli import main
from tests.drop.tiny import save_tiny_model


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_predictions_can_be_scored(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["drop", "predict", "--model", tiny, "--types", "superlative", "--most", "3", "--out", "answers.json"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out == "answers.json: 3 answers\n"
    assert "questions: 3 of 3, about 0 s left" in err
    written = Path("answers.json").read_text()
    assert len(json.loads(written)) == 3
    assert main(arguments) == 0
    assert Path("answers.json").read_text() == written
    assert main(["drop", "score", "answers.json", "--json"]) == 0


def test_stress_has_a_row_for_each_text(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["add:low=1,high=20", "multiply:low=11,high=100"]
    arguments = ["drop", "stress", "--model", tiny, "--most", "4", "--change", changes[0], "--change", changes[1]]
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert list(found["all"]) == ["original", *changes]
    assert all(row["count"] == 4 for row in found["all"].values())
    assert found["all"]["original"]["f1_difference"] == 0
    assert all(f"{name}: 4 of 4" in err for name in found["all"])
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("all ")
    assert f"{found['left_out']:,} of " in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stress", "--model", "smollm2"], "did you mean 'smollm2-135m'"),
        (["stress", "--model", "./none"], "./none does not exist"),
        (["stress", "--model", "a/b", "--types", "superlatives"], "did you mean 'superlative'"),
        (["stress", "--model", "a/b", "--most", "0"], "most must be at least 1"),
        (["stress", "--model", "a/b", "--seed", "-1"], "seed must be at least 0"),
        (["stress", "--model", "a/b", "--change", "ad"], "did you mean 'add'"),
        (["stress", "--model", "a/b", "--data", "none.json"], "can't read none.json"),
        (["predict", "--model", "a/b", "--out", "x.json", "--offline"], "can't load a/b: it is not in the hub's cache"),
        (["predict", "--model", "a/b", "--out", "x.json", "--most", "-1"], "most must be at least 1"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NUMPROBE_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "")  # so that what --offline sets is taken back
    assert main(["drop", *arguments]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert not out
    assert not Path("x.json").exists()
