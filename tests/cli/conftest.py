from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.experiments import Result, load_suite
from numprobe.experiments.archive import pack_results
from tests.conftest import result_of

BUNDLED = ("linear", "negatives", "integers", "layers")


def _result(cell_of_a_suite: object) -> Result:
    result = result_of(cell_of_a_suite)
    if not result.cell.embedder.endswith("layer=all"):
        return result
    layers = [[float(number + 1)] * 5 for number in range(3)]
    choices = [{"penalty": 1.0, "error": 0.1 * (3 - number)} for number in range(3) for _ in range(5)]
    return replace(result, layers=layers, scores=layers[-1], choices=choices)


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a few results of bundled suites, so that no test depends on what was measured."""
    cells = [
        cell for name in BUNDLED for cell in load_suite(name).cells if cell.embedder.startswith(("char", "ra", "m"))
    ]
    file = tmp_path_factory.mktemp("bundle") / "results.json.xz"
    file.write_bytes(pack_results(_result(cell) for cell in cells if cell.range != "0:9999"))
    return file


@pytest.fixture(autouse=True)
def bundled(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numprobe.experiments.archive.FILE", bundle)
