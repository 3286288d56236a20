import io
import json
from pathlib import Path

import pytest

from numprobe.cli import main
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.formats import write_passages


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    passages = [
        Passage(
            f"p{number}",
            f"Akers made a {number}-yard and Gould a 20-yard field goal.",
            (Question(f"a{number}", "How many yards was the longest field goal?", GoldAnswer(number=str(number))),),
        )
        for number in range(40, 44)
    ]
    write_passages(passages, "data.json")


def train(*options: str) -> int:
    return main(["drop", "train", "--data", "data.json", "--device", "cpu", "--out", "model", *options])


def test_train_goes_on_and_the_model_answers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert train("--dev", "data.json", "--steps", "1") == 0
    out, err = capsys.readouterr()
    assert out.startswith("model: EM ")
    assert "at step 1 of 1" in out
    assert "loss " in err
    assert "4 questions in 1 batches a pass; at most 1 steps, about 0 min" in err
    assert "questions/s, at most 0 min left" in err
    assert train("--dev", "data.json", "--steps", "2") == 0
    assert "continuing from step 1" in capsys.readouterr().err

    Path("passage.txt").write_text("Akers made a 43-yard and Gould a 20-yard field goal.")
    asked = ["drop", "ask", "--model", "model", "--passage", "passage.txt", "--device", "cpu"]
    assert main([*asked, "Who kicked?", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["prediction"]["text"]
    assert [word for word, _ in found["question"]] == ["Who", "kicked", "?"]
    monkeypatch.setattr("sys.stdin", io.StringIO("Who kicked?\nHow far?\n"))
    assert main(asked) == 0
    assert capsys.readouterr().out.count("in the passage:") == 2


def test_studies_of_a_trained_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--dev", "data.json", "--steps", "1") == 0
    assert (
        main(
            [
                "drop",
                "train",
                "--from",
                "model",
                "--data",
                "data.json",
                "--dev",
                "data.json",
                "--steps",
                "1",
                "--out",
                "second",
            ]
        )
        == 0
    )
    capsys.readouterr()
    study = ["drop", "study", "--model", "model", "--data", "data.json", "--device", "cpu"]
    assert main([*study, "stress", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["notes"] == ["Trained on a set of 4 real questions; the paper's model saw 77,409 real ones."]
    assert {own["part"] for own in found["figures"]} == {"all", "superlative"}
    assert main([*study, "augmentation", "--augmented", "second", "--format", "csv", "--out", "table.csv"]) == 0
    assert Path("table.csv").read_text().count("+ Data Augmentation, Bigger") == 2
    assert main([*study, "breakdown"]) == 0
    assert "49.2" in capsys.readouterr().out


def test_generated_questions(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["drop", "train", "--passages", "2", "--range", "1:99", "--steps", "1", "--augment", "--device", "cpu"]
    assert main([*arguments, "--dev", "data.json", "--out", "model"]) == 0
    assert json.loads(Path("model/training.json").read_text())["recipe"]["augment"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--size", "smal", "--out", "m"], "did you mean 'small'"),
        (
            ["train", "--words", "glove-6b-50", "--data", "data.json", "--dev", "data.json", "--out", "m"],
            "unknown embedder",
        ),
        (["train", "--minutes", "0", "--out", "m"], "minutes must be more than 0"),
        (["train", "--dropout", "1", "--out", "m"], "dropout must be"),
        (["train", "--data", "none.json", "--out", "m"], "can't read none.json"),
        (["ask", "--model", "none", "What?"], "holds no trained NAQANet"),
        (["train", "--from", "none", "--out", "m"], "holds no trained NAQANet"),
        (["train", "--from", "m", "--out", "m"], "choose another place for the output"),
        (["train", "--average", "1", "--out", "m"], "decay must be at least 0 and less than 1"),
        (["study", "stres"], "did you mean 'stress'"),
        (["study", "augmentation"], "--augmented names the second model"),
        (["study", "stress", "--published", "--out", "table.md"], "choose the format of table.md with --format"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
