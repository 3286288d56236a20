"""Ours beside the paper's: how far apart, and whether that is more than chance."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from numprobe.analysis.paper import Published, beside
from numprobe.experiments import Result

DEVIATIONS = 2
"""Results agree if they differ by no more than this many standard deviations of their difference."""


def better(one: float, other: float, metric: str) -> bool:
    """Whether the first score is the better one: accuracies are to be large, errors small."""
    return one > other if metric == "accuracy" else one < other


class Compared(NamedTuple):
    result: Result
    paper: Published
    difference: float
    """Ours minus the paper's."""
    within: bool
    """|difference| ≤ 2 √(our deviation² + the paper's²). Where the paper gives none (Tables 7 and 8), ours is all."""
    at_least_as_good: bool
    """At the two decimals that the paper prints."""

    @property
    def table(self) -> str:
        """The paper's table, and whether the lists are those of the released code."""
        return self.paper.table + (", released lists" if self.result.cell.sampler == "released" else "")

    @property
    def verdict(self) -> str:
        return "within" if self.within else "better" if self.at_least_as_good else "behind"


def compare(results: Iterable[Result]) -> list[Compared]:
    """The results that the paper has a number for, beside it, in the order that they come."""
    return [_compared(result, paper) for result in results if (paper := beside(result)) is not None]


def _compared(result: Result, paper: Published) -> Compared:
    difference = result.mean - paper.mean
    return Compared(
        result,
        paper,
        difference,
        within=abs(difference) <= DEVIATIONS * math.hypot(result.std, paper.std or 0.0),
        at_least_as_good=not better(paper.mean, round(result.mean, 2), result.metric),
    )


class Count(NamedTuple):
    """How many cells of a table agree with the paper, under one protocol."""

    table: str
    protocol: str
    quick: bool
    cells: int
    within: int
    at_least_as_good: int
    within_or_better: int


def count(compared: Iterable[Compared]) -> list[Count]:
    """The counts of every table, in the paper's order."""
    groups: dict[tuple[int, str, str, bool], list[Compared]] = {}
    for one in compared:
        number = int(one.paper.table.removeprefix("Table "))
        groups.setdefault((number, one.table, one.result.cell.protocol, one.result.cell.is_quick), []).append(one)
    return [
        Count(
            table,
            protocol,
            quick,
            cells=len(group),
            within=sum(one.within for one in group),
            at_least_as_good=sum(one.at_least_as_good for one in group),
            within_or_better=sum(one.within or one.at_least_as_good for one in group),
        )
        for (_, table, protocol, quick), group in sorted(groups.items(), key=lambda item: item[0])
    ]
