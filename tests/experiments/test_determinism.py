"""The same cell gives the same bytes, but for `made`: whatever the number of processes and of threads."""

from pathlib import Path

import pytest

from numprobe.experiments import Cell, Store, load_suite, run
from numprobe.experiments.laboratory import run_cell
from tests.running import finish, kept, start

SUITE = """seeds = 1
[[cells]]
embedder = ["untrained-lstm", "random"]
probe = "linear"
task = ["decoding", "addition"]
range = "0:60"
[[cells]]
embedder = "untrained-cnn"
task = "decoding"
probe = "mlp:most_steps=100"
range = "0:30"
[[cells]]
embedder = "char-cnn:filters=4"
task = "list-maximum:sampler=appendix,train_lists=200,test_lists=50"
probe = "bilstm:most_steps=20"
range = "0:40"
"""


def test_processes_and_threads_change_nothing(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    run(load_suite(str(suite)).cells, Store(tmp_path / "here"))  # in one thread, as tests are
    here = kept(tmp_path / "here")
    assert len(here) == 6
    limits = {f"{library}_NUM_THREADS": "4" for library in ("OMP", "MKL", "OPENBLAS")}
    finish(start(suite, tmp_path / "there", "--workers", "3", **limits))
    assert kept(tmp_path / "there") == here


def test_a_result_names_what_it_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "vectors.txt").write_text("".join(f"{number} {number}.0 1.5\n" for number in range(20)))
    plain = run_cell(Cell.make("value", "decoding", "0:19", probe="linear", seeds=1)).as_dict()
    assert set(plain["settings"]) == {"versions", "embedder", "revision", "task", "recipe"}
    assert {"numprobe", "torch", "numpy", "scipy", "python", "device", "hardware"} <= set(plain["made"])
    assert "safetensors" not in plain["made"]
    name = f"word-vectors:path={tmp_path / 'vectors.txt'}"
    read = run_cell(Cell.make(name, "decoding", "0:19", probe="linear", seeds=1)).as_dict()
    assert read["made"]["revision"] == read["settings"]["revision"] != ""
    assert {"transformers", "tokenizers", "safetensors"} <= set(read["made"])


def test_a_plug_in_is_named_with_its_version() -> None:
    from altair import Chart  # any object of another package that is installed

    class Plugged:
        __module__ = Chart.__module__

        def encode(self, texts: list[str]) -> list[list[float]]:
            return [[float(text), 1.0] for text in texts]

    cell = Cell.make(Plugged(), "decoding", "0:19", probe="linear", seeds=1, name="mine")
    assert "altair" in run_cell(cell).made
