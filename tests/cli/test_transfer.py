"""The command transfer, and templates of the command probe."""

import json
import re
from pathlib import Path

import pytest

from numprobe.cli import main

FAST = ["--range", "0:49", "--probe", "linear", "--seeds", "2"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_matrix_and_its_picture(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["transfer", "value", "--forms", "digits", "words", "--plot", "matrix.svg", *FAST]
    assert main([*arguments, "--format", "markdown"]) == 0
    rows = [
        line.split("|") for line in capsys.readouterr().out.splitlines() if line.startswith(("| digits", "| words"))
    ]
    assert [row[1].strip() for row in rows] == ["digits", "words"] * 2
    errors, orders = ([field.strip() for row in own for field in row[2:4]] for own in (rows[:2], rows[2:]))
    assert len(set(errors)) == 1  # the value is the same in every form
    assert all(order.startswith("1.000 ") for order in orders)
    assert "tested on" in Path("matrix.svg").read_text()
    assert main([*arguments[:-6], *FAST, "--json"]) == 0
    documents = json.loads(capsys.readouterr().out)
    assert [one["cell"].get("test_form", "") for one in documents] == ["", "words", "digits", ""]
    assert main(["probe", "--embedder", "random", "--alone", *FAST]) == 0  # crosses nothing, and is not drawn
    capsys.readouterr()
    assert main(["plot", "transfer", "--out", "again.svg"]) == 0
    drawn = Path("again.svg").read_text()
    assert re.search(r">value<.*>decoding on \[0,49\]", drawn)
    assert "random" not in drawn


def test_several_templates_have_a_spread(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sentences.txt").write_text("It costs {number} dollars.\n\nThe room has {number} chairs.\n")
    arguments = [
        "probe",
        "--embedder",
        "value",
        "--alone",
        *FAST,
        "--template",
        "sentences.txt",
        "--template",
        "{number}",
    ]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["count"], document["std"]) == (3, 0.0)
    assert main(arguments) == 0
    assert "over 3 templates: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["transfer", "value", "--forms", "digits"], "transfer needs two ways of writing numbers"),
        (["transfer", "value", "--forms", "digits", "romans"], "romans"),
        (["probe", "--embedder", "value", "--template", "no number"], "must have one {number}"),
        (["probe", "--embedder", "value", "--template", "nowhere.txt"], "can't read file of templates nowhere.txt"),
        (["probe", "--embedder", "value", "--task", "retrieval:condition=lesser"], "less"),
        (["probe", "--embedder", "value", "--range", "facts:path=nowhere.csv"], "can't read nowhere.csv"),
    ],
)
def test_mistakes_take_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
