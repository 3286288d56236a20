"""The paper's published numbers, as data with the same keys as results."""

import csv
from importlib.resources import files
from typing import NamedTuple

from numprobe.experiments import Cell, Result
from numprobe.registry import Spec

KEYS = ("embedder", "task", "form", "range", "test_range", "probe")

SAME_VECTORS = {"glove-840b-300d-bert-words": "glove"}
"""Embedders that are the paper's under another name."""

LISTS = ("released", "appendix")
"""The samplers of list maximum that the paper may have used: its code's, and a literal reading of its Appendix C."""


class Published(NamedTuple):
    mean: float
    std: float | None
    """None in Tables 7 and 8, which give no deviations."""
    table: str

    def __str__(self) -> str:
        return f"{self.mean:.2f}" if self.std is None else f"{self.mean:.2f} ± {self.std:.2f}"


_NUMBERS = {
    tuple(row[key] for key in KEYS): Published(
        float(row["mean"]), float(row["std"]) if row["std"] else None, row["table"]
    )
    for row in csv.DictReader((files("numprobe.analysis") / "paper.csv").read_text(encoding="utf-8").splitlines())
}
"""Table 4 with the deviations of Table 9. Table 10's errors are root mean squares, although its head says MSE."""
PAPER_EMBEDDERS = tuple(dict.fromkeys(key[0] for key in _NUMBERS))
PAPER_TASKS = tuple(dict.fromkeys(key[1] for key in _NUMBERS))
"""In the paper's order."""


def published(cell: Cell) -> Published | None:
    """Return what the paper reports for a cell's embedder, task, numbers and probe, if anything.

    Only an embedder with its default settings is the paper's. The paper says neither which of two samplers drew its
    lists nor whether its linear regression had a penalty, so tasks and probes have the same number with other settings.

    >>> print(published(Cell.make("char-cnn", "decoding", "0:99")))
    2.50 ± 0.49
    """
    if lists_of(cell) not in ("", *LISTS):
        return None
    embedder = SAME_VECTORS.get(cell.embedder, cell.embedder)
    task, probe = (Spec.parse(text).name for text in (cell.task, cell.probe))
    return _NUMBERS.get((embedder, task, cell.form, cell.range, cell.test_range, probe))


def lists_of(cell: Cell) -> str:
    """The sampler that draws the lists of a cell; empty for tasks without lists."""
    return str(getattr(cell.parts.task, "sampler", ""))


def beside(result: Result) -> Published | None:
    """Return the paper's number for a result that covers the whole range, in the task's own metric."""
    is_whole = result.coverage["covered"] == result.coverage["asked"]
    return published(result.cell) if is_whole and result.metric == result.cell.parts.task.metric else None
