"""The paper's published numbers, as data with the same keys as results."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from numprobe.experiments import Cell, Result
from numprobe.registry import Spec

SAME_VECTORS = {"glove-840b-300d-bert-words": "glove"}
"""Embedders of ours that are the paper's under another name."""

KEYS = ("embedder", "task", "form", "range", "test_range", "probe")


class Published(NamedTuple):
    mean: float
    std: float | None
    """None in Tables 7 and 8, which give no deviations."""
    table: str

    def __str__(self) -> str:
        return f"{self.mean:.2f}" if self.std is None else f"{self.mean:.2f} ± {self.std:.2f}"


@cache
def _numbers() -> dict[tuple[str, ...], Published]:
    """Table 4 with the deviations of Table 9. Table 10's errors are root mean squares, although its head says MSE."""
    with (files("numprobe.analysis") / "paper.csv").open(encoding="utf-8") as file:
        return {
            tuple(row[key] for key in KEYS): Published(
                float(row["mean"]), float(row["std"]) if row["std"] else None, row["table"]
            )
            for row in csv.DictReader(file)
        }


def published(cell: Cell) -> Published | None:
    """What the paper reports for a cell's embedder, task, numbers and probe, if it does.

    Only an embedder with its default settings is the paper's. The paper does not say which sampler its lists
    had, so list maximum has the same number beside either.

    >>> print(published(Cell.make("char-cnn", "decoding", "0:99")))
    2.50 ± 0.49
    """
    embedder = SAME_VECTORS.get(cell.embedder, cell.embedder)
    task, probe = (Spec.parse(text).name for text in (cell.task, cell.probe))
    return _numbers().get((embedder, task, cell.form, cell.range, cell.test_range, probe))


def beside(result: Result) -> Published | None:
    """What the paper reports for what a result measured, which has to be the whole range."""
    return published(result.cell) if result.coverage["covered"] == result.coverage["asked"] else None
