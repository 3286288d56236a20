import json
from pathlib import Path

import pytest

from numprobe.cli import main
from numprobe.embedders.strings import STRINGS


def layers(store: Path, *arguments: str) -> int:
    common = ["--range", "1:150", "--seeds", "2", "--workers", "1", "--store", str(store)]
    return main(["layers", *arguments, *common])


def test_families_and_baselines_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "layers.svg"
    assert layers(tmp_path, "value:scale=raw", "--solved", "--json", "--plot", str(picture)) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["range"] == "1:150"
    first, *others = document["rows"]
    assert [row["row"] for row in others] == list(STRINGS)
    assert first["exact"] == {"linear": 1, "linear:target=log": first["exact"]["linear:target=log"], **first["exact"]}
    assert first["exact"]["circular"] < 0.1
    assert first["shape"] == "line"
    assert first["R² of states"]["line"] == pytest.approx(1)
    by_name = {row["row"]: row for row in others}
    assert by_name["digit-one-hots"]["kappa"]["residue"] == pytest.approx(1)
    assert abs(by_name["length"]["kappa"]["residue"]) < 0.2
    assert picture.read_text().startswith("<svg")
    assert layers(tmp_path, "value:scale=raw", "--solved", "--format", "markdown") == 0
    assert "exactly right linear" in capsys.readouterr().out


def test_some_probes_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--probe", "circular:base=5", "--probe", "helix:periods=5", "--alone", "--json"]
    assert layers(tmp_path, "digit-one-hots", *chosen) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert set(row["exact"]) == {"circular:base=5", "helix:periods=5"}
    assert layers(tmp_path, "digit-one-hots", "--probe", "bilstm") == 2
    assert "can't answer" in capsys.readouterr().err
    assert layers(tmp_path, "digit-one-hots", "--plot", "x.xyz") == 2


def test_families_that_can_not_tell_the_numbers_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--solved", "--alone", "--seeds", "1", "--workers", "1", "--store", str(tmp_path), "--json"]
    assert main(["layers", "value:scale=raw", "--range", "-60:60", *common]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert set(row["exact"]) == {"helix", "linear", "linear:target=log"}
    assert main(["layers", "value", "--range", "5:1", *common]) == 2
