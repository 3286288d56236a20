"""The paper's published numbers, as data with the same keys as results."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from numprobe.experiments import Cell, Result
from numprobe.specs import Spec

SAME_VECTORS = {"glove-840b-300d-bert-words": "glove"}
"""Embedders of ours that are the paper's under another name."""


class Published(NamedTuple):
    mean: float
    std: float
    table: str


@cache
def _numbers() -> dict[tuple[str, str, str, str], Published]:
    with (files("numprobe.reports") / "paper.csv").open(encoding="utf-8") as file:
        return {
            (row["embedder"], row["task"], row["form"], row["range"]): Published(
                float(row["mean"]), float(row["std"]), row["table"]
            )
            for row in csv.DictReader(file)
        }


def published(cell: Cell) -> Published | None:
    """What the paper reports for a cell's embedder, task and range, if it does.

    Only an embedder with its default settings is the paper's. The paper does not say which sampler its lists
    had, so list maximum has the same number beside either.

    >>> published(Cell.make("char-cnn", "decoding", "0:99")).mean
    2.5
    """
    if cell.test_range or cell.probe == "linear":
        return None
    embedder = SAME_VECTORS.get(cell.embedder, cell.embedder)
    return _numbers().get((embedder, Spec.parse(cell.task).name, cell.form, cell.range))


def beside(result: Result) -> Published | None:
    """What the paper reports for what a result measured, which has to be the whole range."""
    return published(result.cell) if result.coverage["covered"] == result.coverage["asked"] else None
