import json
from pathlib import Path

import pytest

from numprobe.cli import main


def test_curves_and_lengths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "curves.svg"
    common = ["learning", "digit-one-hots", "random", "--range", "0:99", "--seeds", "2"]
    assert main([*common, "--json", "--plot", str(picture)]) == 0
    known, unknown = json.loads(capsys.readouterr().out)
    assert list(known["scores"]) == ["25", "50", "80"]
    assert known["bits_per_number"] < unknown["bits_per_number"]
    assert picture.read_text().startswith("<svg")
    assert main(common) == 0
    assert "the uniform code takes 6.64" in capsys.readouterr().out


def test_wrong_questions_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learning", "random", "--metric", "accuracy"]) == 2
    assert "scores a choice" in capsys.readouterr().err
    assert main(["learning", "random", "--range", "0.0:9.9"]) == 2
    assert main(["learning", "random", "--plot", "x.xyz"]) == 2
