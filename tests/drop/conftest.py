from pathlib import Path

import pytest

from numprobe.drop.data import Passage
from numprobe.drop.formats import read_passages
from numprobe.drop.generator import GeneratorSettings, generate

REAL = Path(__file__).parents[3] / "shared" / "data" / "drop"


@pytest.fixture(scope="session")
def real_drop() -> Path:
    """The folder with DROP's development questions and cases for the metric, which is not in the repository."""
    if not REAL.is_dir():
        pytest.skip(f"needs DROP's development questions in {REAL}")
    return REAL


@pytest.fixture(scope="session")
def real_passages(real_drop: Path) -> tuple[Passage, ...]:
    return read_passages(real_drop / "drop_dev.json")


@pytest.fixture(scope="session")
def generated() -> tuple[Passage, ...]:
    """Short passages of every domain."""
    return tuple(generate(GeneratorSettings(passages=8, facts=6, distractors=0, questions=8)))
