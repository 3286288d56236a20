import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from numprobe.experiments import Cell, Result
from numprobe.experiments.archive import published_results
from numprobe.experiments.selection import Selection

torch.set_num_threads(1)  # as a cell runs, and so that tests beside other work don't wait for each other


def make_result(embedder: str = "value", task: str = "decoding", numbers: str = "0:99", **cell: object) -> Result:
    """A result that nobody computed, for what only shows or keeps results."""
    return result_of(Cell.make(embedder, task, numbers, **{"seeds": 5, **cell}))


def result_of(cell: Cell) -> Result:
    """The same of a cell. If it decodes numbers, every answer is off by a half."""
    numbers = Selection(cell)
    predictions = None
    if cell.task == "decoding":
        predictions = [[value + 0.5 for value in numbers.held_out(seed).tolist()] for seed in range(cell.seeds)]
    return Result(
        cell,
        metric=cell.parts.task.metric,
        scores=[0.25 * (seed + 1) for seed in range(cell.seeds)],
        coverage={"covered": len(numbers.values), "asked": len(numbers.values)},
        choices=[],
        made={"seconds": 1.0},
        predictions=predictions,
    )


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """Take back what a command sets for its whole process, such as --offline."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def paper_text(pytestconfig: pytest.Config) -> str:
    """The LaTeX source of the paper."""
    path: Path = pytestconfig.rootpath.parent / "shared/paper/do-nlp-models-know-numbers.tex"
    if not path.exists():
        pytest.skip(f"the paper's source is not at {path}")
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def published() -> list[Result]:
    """The results that come with numprobe, read once."""
    return published_results()


@pytest.fixture
def results() -> list[Result]:
    return [
        make_result(e, t) for e in ("char-cnn", "value", "char-cnn:padding=right") for t in ("decoding", "addition")
    ]
