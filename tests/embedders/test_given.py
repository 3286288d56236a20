from collections.abc import Iterator
from pathlib import Path

import pytest

from numprobe.embedders import load_embedder
from numprobe.embedders.sources import give, not_here, read_settings, resolve
from numprobe.embedders.sources.catalogue import catalogue, variable
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, absent


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in catalogue():
        monkeypatch.setenv(variable(name), "")
    return


def vectors(path: Path, scale: float = 1.0) -> Path:
    path.write_text("".join(f"{number} {scale * number} 1\n" for number in range(41)))
    return path


def test_missing_weights_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    for name, entry in catalogue().items():
        assert entry.wheels or f"--weights {name}=" in entry.how
        assert not_here(load_embedder(name)) == ("" if entry.shipped else entry.to_accept or entry.how)
    with pytest.raises(NumprobeError, match=r"glove is not here: get glove.840B.300d.zip"):
        load_embedder("glove").encode(["7"])
    assert not_here(load_embedder("value")) == ""


def test_given_weights_are_read_and_change_the_hash_of_cells(tmp_path: Path) -> None:
    cells = []
    for scale in (1.0, 2.0):
        give("glove", str(vectors(tmp_path / f"{scale}.txt", scale)))
        assert load_embedder("glove").encode(["7"]).tolist() == [[7.0 * scale, 1.0]]
        cells.append(Cell.make("glove", "decoding", "0:40"))
        assert cells[-1].hash
    assert cells[0] == cells[1]
    assert cells[0].hash != cells[1].hash
    assert not absent(cells)


def test_files_are_found_in_a_folder(tmp_path: Path) -> None:
    give("elmo", str(tmp_path))
    with pytest.raises(NumprobeError, match=r"elmo: .* contains no files \*.json"):
        resolve("given:elmo/*.json")
    (tmp_path / "options.json").write_text("{}")
    assert resolve("given:elmo/*.json") == str(tmp_path / "options.json")
    assert resolve("given:elmo") == str(tmp_path)
    (tmp_path / "more.json").write_text("{}")
    with pytest.raises(NumprobeError, match="contains 2 files"):
        resolve("given:elmo/*.json")


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match="unknown weights to give 'elm'; did you mean 'elmo'"):
        give("elm", "x")
    with pytest.raises(NumprobeError, match="unknown weights to give 'minilm-l6'"):
        give("minilm-l6", "x")
    for text, message in (
        ("[weights", r"settings\.toml: Expected '\]'"),
        ("weights = 1", "must contain lines such as"),
    ):
        (tmp_path / "settings.toml").write_text(text)
        with pytest.raises(NumprobeError, match=message):
            read_settings(str(tmp_path / "settings.toml"))
    with pytest.raises(NumprobeError, match="No such file"):
        read_settings(str(tmp_path / "none.toml"))
