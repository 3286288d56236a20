"""Our results beside the paper's: how far apart they are, and whether that is more than chance."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from numprobe.analysis.paper import Published, beside
from numprobe.experiments import Result


@dataclass(frozen=True)
class Compared:
    result: Result
    paper: Published

    @property
    def difference(self) -> float:
        """Our mean minus the paper's."""
        return self.result.mean - self.paper.mean

    @property
    def within(self) -> bool:
        """|difference| ≤ 2 √(our deviation² + the paper's²). Tables 7 and 8 give no deviations: only ours counts."""
        return abs(self.difference) <= 2 * math.hypot(self.result.std, self.paper.std or 0.0)

    @property
    def at_least_as_good(self) -> bool:
        """At the two decimals that the paper prints."""
        return not self.result.measure.better(self.paper.mean, round(self.result.mean, 2))

    @property
    def table(self) -> str:
        """The paper's table, and how ours differs: the variant of the task, or a probe with settings of its own."""
        cell = self.result.cell
        return ", ".join(
            filter(None, (self.paper.table, cell.parts.task.variant, cell.probe if ":" in cell.probe else ""))
        )

    @property
    def verdict(self) -> str:
        return "within" if self.within else "better" if self.at_least_as_good else "behind"


def compare(results: Iterable[Result]) -> list[Compared]:
    """Compare the results that the paper has a number for, in the order given."""
    return [Compared(result, paper) for result in results if (paper := beside(result)) is not None]


def by_table(compared: Iterable[Compared]) -> list[list[Compared]]:
    """Group by table in the paper's order, quick results after the others."""
    groups: dict[tuple[int, str, bool], list[Compared]] = {}
    for one in compared:
        number = int(one.paper.table.removeprefix("Table "))
        groups.setdefault((number, one.table, one.result.cell.is_quick), []).append(one)
    return [group for _, group in sorted(groups.items(), key=lambda item: item[0])]


def count(compared: Iterable[Compared]) -> list[dict[str, Any]]:
    """How many cells of each table agree with the paper."""
    return [
        {
            "table": group[0].table,
            "quick": group[0].result.cell.is_quick,
            "cells": len(group),
            "within": sum(one.within for one in group),
            "at_least_as_good": sum(one.at_least_as_good for one in group),
            "within_or_better": sum(one.verdict != "behind" for one in group),
        }
        for group in by_table(compared)
    ]
