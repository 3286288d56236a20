"""Our results beside the paper's: how far apart the means are, and whether that is more than chance."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numprobe.analysis.paper import Published, published
from numprobe.analysis.statistics import LEVEL
from numprobe.experiments import Result
from numprobe.experiments.cell import SEEDS

ROUNDING = 0.005
"""Half of the last digit that the paper prints: a deviation of 0.00 may be as large as that."""

BETTER, SAME, BEHIND, UNKNOWN = VERDICTS = ("better", "not distinguishable", "behind", "no verdict")


@dataclass(frozen=True)
class Compared:
    result: Result
    paper: Published

    @property
    def difference(self) -> float:
        """Our mean minus the paper's."""
        return self.result.mean - self.paper.mean

    @property
    def reason(self) -> str:
        """Why there is no verdict; empty if there is one."""
        coverage = self.result.coverage
        reasons = {
            "the embedder lacks numbers of the range": coverage["covered"] < coverage["asked"],
            "the paper gives no deviation": self.paper.std is None,
            "the shuffles share their numbers": bool(self.result.cell.test_range),
            "one shuffle has no deviation": len(self.result.scores) < 2,
        }
        return ", ".join(reason for reason, applies in reasons.items() if applies)

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """Welch's 95 % interval of the difference; None where there is no verdict."""
        if self.reason or self.paper.std is None:
            return None
        from scipy.stats import t

        shuffles = len(self.result.scores)
        ours, theirs = self.result.std**2 / shuffles, max(self.paper.std, ROUNDING) ** 2 / SEEDS
        freedom = (ours + theirs) ** 2 / (ours**2 / (shuffles - 1) + theirs**2 / (SEEDS - 1))
        half = float(t.ppf(1 - LEVEL / 2, freedom)) * math.sqrt(ours + theirs)
        return self.difference - half, self.difference + half

    @property
    def table(self) -> str:
        """The paper's table, and how ours differs: the variant of the task, or a probe with settings of its own."""
        cell = self.result.cell
        return ", ".join(
            filter(None, (self.paper.table, cell.parts.task.variant, cell.probe if ":" in cell.probe else ""))
        )

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if self.interval is None:
            return UNKNOWN
        low, high = self.interval
        if low <= 0 <= high:
            return SAME
        return BETTER if self.result.measure.better(self.result.mean, self.paper.mean) else BEHIND

    @property
    def because(self) -> str:
        """The verdict, or why there is none."""
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict


def compare(results: Iterable[Result]) -> list[Compared]:
    """Compare the results that the paper has a number for, in the order given.

    >>> import numprobe
    >>> results = numprobe.probe("random", numbers="0:50", probe="linear", seeds=5)
    >>> [(one.paper.table, one.because) for one in compare(results)]
    [('Table 8', 'no verdict: the paper gives no deviation')]
    """
    own = (result for result in results if result.metric == result.cell.parts.task.metric)
    return [Compared(result, paper) for result in own if (paper := published(result.cell)) is not None]


def by_table(compared: Iterable[Compared]) -> list[list[Compared]]:
    """Group by table in the paper's order, quick results after the others."""
    groups: dict[tuple[int, str, bool], list[Compared]] = {}
    for one in compared:
        number = int(one.paper.table.removeprefix("Table "))
        groups.setdefault((number, one.table, one.result.cell.is_quick), []).append(one)
    return [group for _, group in sorted(groups.items(), key=lambda item: item[0])]


def count(compared: Iterable[Compared]) -> list[dict[str, Any]]:
    """How many cells of each table have which verdict, and how many false alarms to expect if none truly differed.

    >>> import numprobe
    >>> results = numprobe.probe("random", numbers="0:50", probe="linear", seeds=5)
    >>> [(one["table"], one["cells"], one["no_verdict"]) for one in count(compare(results))]
    [('Table 8', 1, 1)]
    """
    counts = []
    for group in by_table(compared):
        verdicts = Counter(one.verdict for one in group)
        counts.append(
            {
                "table": group[0].table,
                "quick": group[0].result.cell.is_quick,
                "cells": len(group),
                **{verdict.replace(" ", "_"): verdicts[verdict] for verdict in VERDICTS},
                "false_alarms_expected": round(LEVEL * (len(group) - verdicts[UNKNOWN]), 2),
            }
        )
    return counts
