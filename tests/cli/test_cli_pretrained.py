"""Commands about pretrained embedders, on small files in the real formats."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from numprobe.cli import main


@pytest.fixture(autouse=True)
def glove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Vectors of the numbers below 60 but for a few; an own cache, and no network."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMPROBE_OFFLINE", "1")
    monkeypatch.delenv("NUMPROBE_STORE", raising=False)
    lines = [f"{n} {n / 10} {n % 7} {(n * n) % 5}" for n in range(60) if n not in (7, 13)]
    Path("glove.txt").write_text("\n".join(lines) + "\n")
    return "word-vectors:path=glove.txt"


def probe(*more: str) -> list[str]:
    return ["probe", "--alone", "--range", "0:59", "--probe", "linear", "--seeds", "2", *more]


def test_vectors_from_a_file(glove: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(probe("--embedder", glove)) == 2
    assert "lacks 7, 13; probe those it has with --missing restrict" in capsys.readouterr().err
    assert main(probe("--embedder", glove, "--missing", "restrict", "--json")) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["coverage"] == {"covered": 58, "asked": 60}
    assert result["missing"] == [7.0, 13.0]
    assert result["made"]["revision"]
    assert main(["show"]) == 0
    assert "(58 of 60)" in capsys.readouterr().out


def test_a_changed_file_is_another_cell(glove: str, capsys: pytest.CaptureFixture[str]) -> None:
    scores = []
    for _ in range(2):
        assert main(probe("--embedder", glove, "--missing", "restrict", "--json")) == 0
        scores.append(json.loads(capsys.readouterr().out)["scores"])
        Path("glove.txt").write_text(Path("glove.txt").read_text().replace("0 0.0 0 0", "0 5.0 5 5"))
    assert scores[0] != scores[1]


def test_inspect_and_cache(glove: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", glove, "--range", "0:59", "--plot", "plane.svg"]) == 0
    out = capsys.readouterr().out
    assert "covers      58 of 60; lacks 7, 13" in out
    assert "<svg" in Path("plane.svg").read_text()
    assert main(["inspect", glove, "--range", "0:59", "--json"]) == 0
    inspection = json.loads(capsys.readouterr().out)
    assert inspection["dimension"] == 3
    assert inspection["pieces"] is None
    assert len(inspection["projection"]) == 58
    assert main(["cache"]) == 0
    assert "in 1 tables" in capsys.readouterr().out
    assert main(["cache", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["embedder"] == glove
    assert main(["cache", "clear"]) == 0
    capsys.readouterr()
    assert main(["cache"]) == 0
    assert "in 0 tables" in capsys.readouterr().out


def test_a_plot_of_decoding(glove: str) -> None:
    assert main(probe("--embedder", glove, "--missing", "restrict", "--plot", "decoded.html")) == 0
    assert "vega" in Path("decoded.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fetch", "glove-6b-50"], "unknown weights 'glove-6b-50'; did you mean 'glove-6b-50d'?"),
        (["fetch", "minilm-l6"], "minilm-l6 is not in the cache; run `numprobe fetch minilm-l6` while online"),
        (["inspect", "char-cnn"], "'char-cnn' learns together with its probe"),
        (["inspect", "word-vectors:path=glove.txt", "--range", "100:200"], "has none of the 101 numbers of 100:200"),
        (["inspect", "value", "--range", "0:9", "--plot", "x.gif"], "unknown chart format '.gif'"),
        (["cache", "clean"], "did you mean 'clear'?"),
        (probe("--embedder", "transformer"), "embedder 'transformer' needs model"),
        (probe("--embedder", "word-vectors:path=nowhere.txt"), "nowhere.txt does not exist"),
        (probe("--embedder", "transformer:model=someone/model"), "can't load someone/model"),
        (probe("--embedder", "value", "--missing", "skip"), "missing='skip' is not an option: use refuse or restrict"),
        (probe("--embedder", "glove-6b-50d", "--offline"), "glove-6b-50d is not in the cache"),
    ],
)
def test_errors_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_a_package_adds_embedders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    folder = tmp_path / "plug_in"
    (folder / "mine-1.0.dist-info").mkdir(parents=True)
    (folder / "mine-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (folder / "mine-1.0.dist-info" / "entry_points.txt").write_text(
        "[numprobe.embedders]\nlengths = mine:Lengths\nbroken = mine:Nothing\n"
    )
    (folder / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "@dataclass(frozen=True)\n"
        "class Lengths:\n"
        '    "How long the number is."\n'
        "    scale: float = 1.0\n"
        "    def encode(self, texts):\n"
        "        return [[self.scale * len(text)] for text in texts]\n"
    )
    code = "import numprobe; print(numprobe.load_embedder('lengths', scale=2).encode(['75']))"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[[4.0]]"
    assert "the embedder 'broken' of mine is left out: it can't be imported" in ran.stderr
