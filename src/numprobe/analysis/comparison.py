"""Our results beside the paper's: how far apart they are, and whether that is more than chance."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from numprobe.analysis.paper import Published, beside
from numprobe.experiments import Result

DEVIATIONS = 2
"""Results agree if they differ by at most this many standard deviations of their difference."""


class Compared(NamedTuple):
    result: Result
    paper: Published
    difference: float
    """Our mean minus the paper's."""
    within: bool
    """|difference| ≤ 2 √(our deviation² + the paper's²). Tables 7 and 8 give no deviations: only ours counts."""
    at_least_as_good: bool
    """At the two decimals that the paper prints."""

    @property
    def table(self) -> str:
        """The paper's table, and the variant of the task, such as "released lists"."""
        return ", ".join(filter(None, (self.paper.table, self.result.cell.parts.task.variant)))

    @property
    def verdict(self) -> str:
        return "within" if self.within else "better" if self.at_least_as_good else "behind"


class Count(NamedTuple):
    """How many cells of a table agree with the paper."""

    table: str
    quick: bool
    cells: int
    within: int
    at_least_as_good: int
    within_or_better: int


def compare(results: Iterable[Result]) -> list[Compared]:
    """Compare the results that the paper has a number for, in the order given."""
    return [_compared(result, paper) for result in results if (paper := beside(result)) is not None]


def _compared(result: Result, paper: Published) -> Compared:
    difference = result.mean - paper.mean
    return Compared(
        result,
        paper,
        difference,
        within=abs(difference) <= DEVIATIONS * math.hypot(result.std, paper.std or 0.0),
        at_least_as_good=not result.measure.better(paper.mean, round(result.mean, 2)),
    )


def by_table(compared: Iterable[Compared]) -> list[list[Compared]]:
    """Group by table in the paper's order, quick results after the others."""
    groups: dict[tuple[int, str, bool], list[Compared]] = {}
    for one in compared:
        number = int(one.paper.table.removeprefix("Table "))
        groups.setdefault((number, one.table, one.result.cell.is_quick), []).append(one)
    return [group for _, group in sorted(groups.items(), key=lambda item: item[0])]


def count(compared: Iterable[Compared]) -> list[Count]:
    """Count the cells of each table that agree with the paper."""
    return [
        Count(
            table=group[0].table,
            quick=group[0].result.cell.is_quick,
            cells=len(group),
            within=sum(one.within for one in group),
            at_least_as_good=sum(one.at_least_as_good for one in group),
            within_or_better=sum(one.within or one.at_least_as_good for one in group),
        )
        for group in by_table(compared)
    ]
