"""Results arranged in grids: a row per embedder, a column per task and range."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numprobe.analysis.paper import PAPER_EMBEDDERS, PAPER_TASKS, SAME_VECTORS
from numprobe.experiments import Result
from numprobe.reports.tables import Heading


@dataclass(frozen=True)
class Grid:
    """Results with the same number of shuffles."""

    results: Sequence[Result]
    columns: Mapping[Heading, Result]
    """Each with one of its results, from which to read what the column is about."""
    rows: Mapping[str, Mapping[Heading, Result]]

    @property
    def title(self) -> str:
        cell = self.results[0].cell
        over = f"over {cell.seeds} shuffles" if cell.seeds > 1 else "of 1 shuffle"
        return f"Mean ± deviation {over}{', quick' if cell.is_quick else ''}"


def grids(results: Iterable[Result]) -> list[Grid]:
    """Arrange results in one grid per number of shuffles; a sweep over layers has a row per layer."""
    groups: dict[int, list[Result]] = {}
    for result in results:
        groups.setdefault(result.cell.seeds, []).append(result)
    return [_grid(group) for _, group in sorted(groups.items())]


def _grid(results: Sequence[Result]) -> Grid:
    single = [layer for result in results for layer in result.by_layer()]
    columns = {heading(result): result for result in sorted(single, key=_column_order)}
    rows: dict[str, dict[Heading, Result]] = {}
    for result in sorted(single, key=_row_order):
        rows.setdefault(result.cell.embedder, {})[heading(result)] = result
    return Grid(results, columns, rows)


def heading(result: Result) -> Heading:
    """Return the heading of a result's column: its numbers, and above them the task, metric and any other probe."""
    cell = result.cell
    probe = "" if cell.uses_default_probe else f", {cell.probe}"
    return Heading(cell.where, f"{cell.task} ({result.metric}{probe})")


def _column_order(result: Result) -> tuple[Any, ...]:
    """Order the paper's tasks as the paper does, then the others by name; small ranges before large ones."""
    where, measured = heading(result)
    numbers = result.cell.parts.numbers
    return _place(result.cell.parts.task.name, PAPER_TASKS), measured, numbers.decimals, numbers.size, where


def _row_order(result: Result) -> tuple[Any, ...]:
    """Order the paper's rows as the paper does, then the others naturally: layer=2 before layer=10."""
    name = result.cell.embedder
    parts = [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
    return _place(SAME_VECTORS.get(name, name), PAPER_EMBEDDERS), parts


def _place(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else len(names)
