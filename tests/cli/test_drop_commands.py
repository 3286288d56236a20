import json
import subprocess
import sys
from pathlib import Path

import pytest

from numprobe.cli import main
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.formats import read_passages, write_passages

PASSAGES = [
    Passage(
        f"p{number}",
        f"Akers made a {number}-yard and Gould a 20-yard field goal.",
        (
            Question(f"a{number}", "How many yards was the longest field goal?", GoldAnswer(number=str(number))),
            Question(f"b{number}", "Which kick was longer, that of Akers or Gould?", GoldAnswer(spans=("Akers",))),
            Question(f"c{number}", "How many kicks were there?", GoldAnswer(number="2")),
        ),
    )
    for number in range(40, 45)
]


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_passages(PASSAGES, "data.json")


def predict(predictions: object) -> None:
    Path("predictions.json").write_text(json.dumps(predictions))


def test_score(capsys: pytest.CaptureFixture[str]) -> None:
    predict({question.id: question.answer.number or [*question.answer.spans] for question in PASSAGES[0].questions})
    assert main(["drop", "score", "predictions.json", "--data", "data.json", "--json"]) == 0
    out, err = capsys.readouterr()
    scores = json.loads(out)
    assert scores["all"] == {"count": 15, "em": 20.0, "f1": 20.0}
    assert scores["superlative_number"]["count"] == 5
    assert scores["date"] == {"count": 0, "em": None, "f1": None}
    assert "12 of 15 questions have no prediction" in err
    assert main(["drop", "score", "predictions.json", "--data", "data.json"]) == 0
    assert "comparative_binary            5   20.0   20.0" in capsys.readouterr().out


def test_score_what_was_answered(capsys: pytest.CaptureFixture[str]) -> None:
    predict({question.id: question.answer.number or [*question.answer.spans] for question in PASSAGES[0].questions})
    score = ["drop", "score", "predictions.json", "--data", "data.json", "--json"]
    assert main([*score, "--answered"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["all"] == {"count": 3, "em": 100.0, "f1": 100.0}
    assert "3 of 15 questions are scored" in err
    assert "no prediction" not in err
    assert main(["drop", "change", "add", "--data", "data.json", "--out", "changed.json"]) == 0
    capsys.readouterr()
    assert main([*score, "--common", "changed.json"]) == 0
    assert json.loads(capsys.readouterr().out)["all"]["count"] == 10
    assert main([*score, "--common", "changed.json", "--answered"]) == 0
    assert json.loads(capsys.readouterr().out)["all"]["count"] == 2
    predict({})
    assert main([*score, "--answered"]) == 2
    assert "there is no question to score" in capsys.readouterr().err


def test_scores_of_generated_questions_have_floors_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "generate", "--passages", "4", "--out", "made.json"]) == 0
    predict({})
    assert main(["drop", "score", "predictions.json", "--data", "made.json"]) == 0
    out = capsys.readouterr().out
    assert "guess  digits" in out
    assert "digits: EM of right facts, digit counts and first digits only" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["change", "add", "--data", "data.json", "--out", "./data.json"],
        ["change", "add", "--data", "folder", "--out", "folder/changed.json"],
        ["split", "--data", "folder/train.json", "--out", "folder"],
        ["split", "--data", "folder", "--out", "folder"],
        ["predict", "--model", "naqanet", "--data", "data.json", "--out", "data.json"],
    ],
)
def test_no_command_overwrites_its_input(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    write_passages(PASSAGES, "folder/train.json")
    assert main(["drop", *arguments]) == 2
    assert "choose another place for the output" in capsys.readouterr().err
    assert {str(path) for path in Path("folder").iterdir()} == {"folder/train.json"}
    assert read_passages("data.json") == tuple(PASSAGES)


def test_types(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "types", "--data", "data.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "comparative": 5,
        "comparative_binary": 5,
        "comparative_non_binary": 0,
        "superlative": 5,
        "superlative_number": 5,
        "superlative_span": 0,
    }
    assert main(["drop", "types", "--data", "data.json", "--examples", "2"]) == 0
    assert capsys.readouterr().out.count("longest field goal? → 4") == 4


def test_split(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "split", "--data", "data.json", "--share", "0.6", "--seed", "1", "--out", "parts"]) == 0
    assert "train.json: 3 passages, 9 questions" in capsys.readouterr().out
    assert {passage.id for passage in read_passages("parts")} == {passage.id for passage in PASSAGES}


def test_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "change", "multiply:low=3,high=3", "--data", "data.json", "--out", "changed.json"]) == 0
    out = capsys.readouterr().out
    assert "5 passages, 10 questions kept" in out
    assert "5  neither comparative nor superlative" in out
    changed = read_passages("changed.json")[0]
    assert changed.text == "Akers made a 120-yard and Gould a 60-yard field goal."
    assert changed.questions[0].answer == GoldAnswer(number="120")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "none.json", "--data", "data.json"], "can't read none.json"),
        (["score", "list.json", "--data", "data.json"], "list.json must be an object"),
        (["score", "unknown.json", "--data", "data.json"], "'x'"),
        (["types", "--data", "list.json"], "list.json is not DROP's JSON"),
        (["types", "--data", "data.json", "--examples", "-1"], "examples must be at least 0"),
        (["split", "--data", "data.json", "--share", "2", "--out", "parts"], "share must lie between"),
        (["change", "ad", "--data", "data.json", "--out", "x.json"], "did you mean 'add'"),
        (["change", "add", "--data", "data.json", "--out", "data.json/x.json"], "can't write"),
        (["change", "add", "--data", "other.json", "--out", "x.json"], "no answer is known"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.json").write_text("[]")
    Path("unknown.json").write_text('{"x": "1"}')
    write_passages([Passage("p", "Akers made 2 kicks.", (PASSAGES[0].questions[2],))], "other.json")
    assert main(["drop", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path("x.json").exists()


def test_it_starts_without_torch() -> None:
    code = "import sys; from numprobe.cli import main; main(sys.argv[1:]); sys.exit('torch' in sys.modules)"
    command = [sys.executable, "-c", code, "drop", "types", "--data", "data.json"]
    assert subprocess.run(command, check=False).returncode == 0


def test_generate(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "--passages 3 --questions 4 --domain game --kind count --range 10:99 --words 0 --seed 5 --out made.json"
    assert main(["drop", "generate", *arguments.split()]) == 0
    made = read_passages("made.json")
    assert "made.json: 3 passages" in capsys.readouterr().out
    assert all(passage.id.startswith("generated_game") and len(passage.questions) <= 4 for passage in made)
    assert main(["drop", "generate", "--range", "5:9", "--out", "made.json"]) == 2
    assert "10 or more whole numbers" in capsys.readouterr().err


def test_without_data_questions_are_generated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "types", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["superlative"] > 100
