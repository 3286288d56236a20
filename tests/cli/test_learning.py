import json
from pathlib import Path

import pytest

from numprobe.analysis.description import DescriptionLength
from numprobe.cli import main
from numprobe.experiments import Cell
from numprobe.metrics import METRICS
from numprobe.reports.curves import Curve, needed


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


def test_how_many_numbers_one_probe_needs_to_match_another() -> None:
    def curve(embedder: str, probe: str, errors: dict[int, float]) -> Curve:
        cell = Cell.make(embedder, "decoding", "0:99", probe=probe, seeds=2)
        points = {count: [error - 0.1, error + 0.1] for count, error in errors.items()}
        return Curve(cell, METRICS.build("normalised-error"), points, DescriptionLength([1.0], 2.0, 1))

    slow = curve("random", "linear", {25: 0.9, 50: 0.6, 80: 0.5})
    quick = curve("random", "mlp", {25: 0.7, 50: 0.5, 80: 0.4})
    alone = curve("value", "linear", {80: 0.1})
    assert list(needed([slow, quick, alone])) == [
        "random: linear needs more than 80 numbers to match mlp after 80 (normalised-error 0.400)",
        "random: mlp needs 50 numbers to match linear after 80 (normalised-error 0.500)",
    ]
