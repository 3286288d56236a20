"""The hash of a cell names its result for good: it changes only if the scores would."""

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from numprobe.embedders import EMBEDDERS
from numprobe.embedders.baselines import Value
from numprobe.experiments import Cell
from numprobe.experiments import cell as module
from numprobe.numbers import FORMS
from numprobe.numbers.forms import Words
from numprobe.probes import PROBES
from numprobe.probes.linear import Linear
from numprobe.registry import Registry
from numprobe.tasks import TASKS
from numprobe.tasks.decoding import Decoding

WRITTEN_DOWN: dict[str, dict[str, Any]] = {
    "4021010278dd4c0e7a8d": {"embedder": "value", "task": "decoding", "range": "0:99"},
    "8c9a0d11331dba692f2c": {
        "embedder": "value:scale=raw",
        "task": "addition:pair_share=0.5",
        "range": "0:99",
        "probe": "linear",
        "seeds": 5,
    },
    "4979abbf35f2efbd9be4": {"embedder": "char-cnn:padding=right", "task": "list-maximum", "range": "0:999"},
    "f29e5819d2aa137aa508": {
        "embedder": "char-lstm",
        "task": "list-maximum:sampler=appendix",
        "range": "0.0:99.9",
        "seeds": 10,
    },
    "3528a716020829dc8d89": {"embedder": "untrained-cnn", "task": "decoding", "range": "0:50", "form": "words"},
    "5d77631603e747de0a9c": {
        "embedder": "random:seed=3",
        "task": "decoding",
        "range": "-50:50",
        "probe": "linear:penalty=0",
        "seeds": 5,
    },
    "3521dcc843e3cda8327c": {
        "embedder": "word-vectors:path=vectors.txt",
        "task": "decoding",
        "range": "0:99",
        "missing": "restrict",
    },
    "f40aeb041c87b67b4c1d": {"embedder": "value", "task": "decoding", "range": "0:150", "test_range": "71:80,20:24"},
}
"""Hash -> cell. If one of these changes, published results are lost: raise the version of what changed instead."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vectors.txt").write_text("".join(f"{number} {number}.0 1.5\n" for number in range(90)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))


def hashes() -> list[str]:
    return [Cell.make(**fields).hash for fields in WRITTEN_DOWN.values()]


def plain(**fields: Any) -> Cell:
    return Cell.make(**{"embedder": "value", "task": "decoding", "range": "0:99", "probe": "linear", **fields})


def test_they_are_as_they_were() -> None:
    assert hashes() == list(WRITTEN_DOWN)


@dataclass(frozen=True)
class WiderValue(Value):
    __module__ = Value.__module__
    new: int = 3


@dataclass(frozen=True)
class WiderDecoding(Decoding):
    __module__ = Decoding.__module__
    new: int = 3


@dataclass(frozen=True)
class WiderLinear(Linear):
    __module__ = Linear.__module__
    new: int = 3


@dataclass(frozen=True)
class WiderWords(Words):
    __module__ = Words.__module__
    new: int = 3


PARTS: list[tuple[str, Registry[Any], str, type]] = [
    ("embedder", EMBEDDERS, "value", WiderValue),
    ("task", TASKS, "decoding", WiderDecoding),
    ("probe", PROBES, "linear", WiderLinear),
    ("form", FORMS, "words", WiderWords),
]


@pytest.mark.parametrize(("kind", "registry", "name", "wider"), PARTS)
def test_a_new_setting_changes_no_hash_until_it_is_set(
    kind: str, registry: Registry[Any], name: str, wider: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plain(**{kind: name}).hash
    monkeypatch.setitem(registry.makers, name, wider)
    assert getattr(plain(**{kind: name}).parts, kind).new == 3
    assert plain(**{kind: name}).hash == before == plain(**{kind: f"{name}:new=3"}).hash
    assert plain(**{kind: f"{name}:new=4"}).hash != before


@pytest.mark.parametrize(("kind", "registry", "name", "wider"), PARTS)
def test_a_raised_version_changes_the_hashes_of_that_part_alone(
    kind: str, registry: Registry[Any], name: str, wider: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {"embedder": "random", "task": "addition", "probe": "mlp", "form": "digits"}
    before, other = plain(**{kind: name}).hash, plain(**{kind: others[kind]}).hash
    monkeypatch.setitem(registry.makers, name, type(name, (wider,), {"version": 2, "__module__": wider.__module__}))
    assert plain(**{kind: name}).versions()[kind] == "2"
    assert plain(**{kind: name}).hash != before
    assert plain(**{kind: others[kind]}).hash == other


def test_the_version_of_what_all_cells_share_changes_every_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "VERSION", module.VERSION + 1)
    assert not set(hashes()) & set(WRITTEN_DOWN)


def test_a_new_part_changes_no_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Halves:
        """Half of the value."""

        name: ClassVar[str] = "halves"
        version: ClassVar[int] = 1
        __module__ = Value.__module__

        def encode(self, texts: list[str]) -> np.ndarray:
            return np.array([[float(text) / 2] for text in texts])

    for registry, made in ((EMBEDDERS, Halves), (TASKS, WiderDecoding), (PROBES, WiderLinear), (FORMS, WiderWords)):
        monkeypatch.setitem(registry.makers, "halves", made)
    assert hashes() == list(WRITTEN_DOWN)
    assert plain(embedder="halves").hash not in {*hashes(), plain().hash}


def test_a_plug_ins_hash_covers_its_packages_version(monkeypatch: pytest.MonkeyPatch) -> None:
    from altair import Chart  # any object of another package that is installed

    plugged = type("plugged", (WiderValue,), {"__module__": Chart.__module__})
    monkeypatch.setitem(EMBEDDERS.makers, "plugged", plugged)
    others, before = hashes(), plain(embedder="plugged")
    assert before.versions()["embedder"] == f"1 altair {version('altair')}"
    assert before.hash == plain(embedder="plugged").hash
    monkeypatch.setattr(module, "version", lambda name: "99.0")
    assert plain(embedder="plugged").versions()["embedder"] == "1 altair 99.0"
    assert plain(embedder="plugged").hash != before.hash
    assert hashes() == others


def test_the_content_of_a_file_is_in_the_hash() -> None:
    (fields,) = (fields for fields in WRITTEN_DOWN.values() if "path=vectors.txt" in fields["embedder"])
    before = Cell.make(**fields).hash
    Path("vectors.txt").write_text("".join(f"{number} {number}.0 2.5\n" for number in range(90)))
    assert Cell.make(**fields).hash != before
