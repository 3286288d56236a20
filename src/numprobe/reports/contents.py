"""Results as tables."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numprobe.analysis.paper import PAPER_EMBEDDERS, PAPER_TASKS, SAME_VECTORS, Published, beside
from numprobe.analysis.statistics import Paired, against_best, best_of, interval, selectivities
from numprobe.embedders.strings import SIGNED_STRINGS
from numprobe.experiments import Result
from numprobe.experiments.floors import CEILING
from numprobe.reports.tables import Heading, Table

FAR_OFF = "†"
"""Marks a result with outlying shuffles."""
FAR_OFF_NOTE = f"{FAR_OFF} some shuffles are far from the others, so the median says more than the mean"

GUESSING = "(guessing)"
"""A row below the others: the score of whoever knows nothing about a number."""
STRING = "(best string)"
"""The best score of what the text alone gives away."""
ITSELF = "(the value itself)"
"""The score of a vector that is the number."""

BEST = "*"
"""Marks the best of a column, and what can't be told from it."""
BEST_NOTE = (
    f"{BEST} the best of its column, or not distinguishable from it (corrected resampled t-test over the shuffles, "
    "Holm, 5 %)"
)


@dataclass(frozen=True)
class Grid:
    """Results with the same number of shuffles."""

    results: Sequence[Result]
    columns: Mapping[Heading, Result]
    """Each with one of its results, from which to read what the column is about."""
    rows: Mapping[str, Mapping[Heading, Result]]
    known: Sequence[Result] = ()
    """Other results, among which to look for floors and ceilings."""

    @cached_property
    def against_best(self) -> Mapping[Heading, Sequence[Paired]]:
        """For each column, its best result compared with each other one."""
        return {
            column: against_best([row[column] for row in self.rows.values() if column in row])
            for column in self.columns
        }

    def is_best(self, column: Heading, result: Result) -> bool:
        """Whether a result is the best of its column, or can't be told from it."""
        return any(result is pair.a or (result is pair.b and pair.better is None) for pair in self.against_best[column])

    @cached_property
    def bounds(self) -> Mapping[str, Sequence[str]]:
        """The floors and the ceiling of each column, as far as they are known and have no row of their own."""
        strings = [] if set(SIGNED_STRINGS) & set(self.rows) else SIGNED_STRINGS
        made = {
            GUESSING: [self._guessing(column) for column in self.columns],
            STRING: [self._best(column, strings) for column in self.columns],
            ITSELF: [self._best(column, [CEILING] * (CEILING not in self.rows)) for column in self.columns],
        }
        return {name: row for name, row in made.items() if any(row)}

    def _guessing(self, column: Heading) -> str:
        there = [result for row in self.rows.values() if (result := row.get(column)) and result.guessing is not None]
        if not there:
            return ""
        widest = max(there, key=lambda result: result.coverage.get("covered", 0))
        return f"{widest.guessing:.{widest.measure.decimals}f}"

    def _best(self, column: Heading, names: Sequence[str]) -> str:
        """The best known score of some embedders in a column."""
        about = self.columns[column]
        found = [
            result.rescored(about.metric)
            for result in self.known
            if result.cell.embedder in names
            and result.cell.seeds == about.cell.seeds
            and result.cell.parts.task.answer is about.cell.parts.task.answer
            and result.can_be(about.metric)
        ]
        own = [result for result in found if heading(result) == column]
        return best_of(own).text if own else ""

    @property
    def title(self) -> str:
        cell = self.results[0].cell
        over = f"over {cell.seeds} shuffles" if cell.seeds > 1 else "of 1 shuffle"
        return f"Mean ± deviation {over}{', quick' if cell.is_quick else ''}"

    @property
    def notes(self) -> list[str]:
        """What a reader of the scores has to know: marks, and probes that were not done learning."""
        is_marked = any(result.outlying for row in self.rows.values() for result in row.values())
        limited, known = (sum(counts) for counts in zip(*(result.stopped() for result in self.results), strict=True))
        stopped = f"{limited} of {known} probes stopped at the limit of steps"
        told = ((FAR_OFF_NOTE, is_marked), (BEST_NOTE, any(self.against_best.values())), (stopped, limited))
        selective = [
            f"selectivity of {name}, {column.group}, {column.name}: {value:+.2f}"
            for column in self.columns
            for name, value in selectivities([row[column] for row in self.rows.values() if column in row]).items()
        ]
        return [note for note, applies in told if applies] + selective


def grids(results: Iterable[Result], known: Sequence[Result] = ()) -> list[Grid]:
    """Arrange results in one grid per number of shuffles; a sweep over layers has a row per layer.

    Below them stand floors and ceilings from other `known` results.
    """
    groups: dict[int, list[Result]] = {}
    for result in results:
        groups.setdefault(result.cell.seeds, []).append(result)
    return [_grid(group, known) for _, group in sorted(groups.items())]


def _grid(results: Sequence[Result], known: Sequence[Result]) -> Grid:
    single = [layer for result in results for layer in result.by_layer()]
    single += _across(single)
    columns = {heading(result): result for result in sorted(single, key=_column_order)}
    rows: dict[str, dict[Heading, Result]] = {}
    for result in sorted(single, key=_row_order):
        rows.setdefault(result.cell.embedder, {})[heading(result)] = result
    return Grid(results, columns, rows, known)


def _across(results: Sequence[Result]) -> Iterator[Result]:
    """Results of columns whose rows are about different numbers, in the metric in which rows can be compared."""
    columns: dict[Heading, list[Result]] = {}
    for result in results:
        columns.setdefault(heading(result), []).append(result)
    for column in columns.values():
        if len({result.coverage["covered"] for result in column}) > 1:
            found = (result.across for result in column)
            yield from (one for one in found if one is not None and one.metric != column[0].metric)


def heading(result: Result) -> Heading:
    """Return the heading of a result's column: its numbers, and above them the task, metric and any other probe."""
    cell = result.cell
    measured = ", ".join(filter(None, (result.metric, cell.other_probe)))
    return Heading(cell.where, f"{cell.task} ({measured})")


def _column_order(result: Result) -> tuple[Any, ...]:
    """Order the paper's tasks as the paper does, then the others by name; small ranges before large ones."""
    where, measured = heading(result)
    numbers = result.cell.parts.numbers
    task = result.cell.parts.task
    place = _place(task.name, PAPER_TASKS)
    return place, result.metric != task.metric, measured, numbers.decimals, numbers.size, where


def _row_order(result: Result) -> tuple[Any, ...]:
    """Order the paper's rows as the paper does, then the others naturally: layer=2 before layer=10; floors last."""
    name = result.cell.embedder
    parts = [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
    is_floor = getattr(result.cell.parts.embedder, "is_floor", False)
    return is_floor, _place(SAME_VECTORS.get(name, name), PAPER_EMBEDDERS), parts


def _place(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else len(names)


def result_tables(results: Iterable[Result], with_paper: bool = True, known: Sequence[Result] = ()) -> list[Table]:
    """Tables of results, with the paper's number below each of ours, between floors and ceilings that are known.

    >>> import numprobe
    >>> table, *_ = result_tables(numprobe.probe("random", numbers="0:50", probe="linear", seeds=5))
    >>> [str(heading) for heading in table.headings], table.rows[0]
    (['embedder', 'decoding (rmse, linear) [0,50]'], ['random', '15.11 ± 0.91\\n13.86'])
    """
    return [_result_table(grid, with_paper) for grid in grids(results, known)]


def _result_table(grid: Grid, with_paper: bool) -> Table:
    def paper(result: Result) -> Published | None:
        return beside(result) if with_paper else None

    def entry(column: Heading, result: Result) -> str:
        mark = BEST if grid.is_best(column, result) else ""
        return f"{shown(result)}{mark}\n{paper(result) or ''}".rstrip()

    return Table(
        grid.title,
        headings=[Heading("embedder"), *grid.columns],
        rows=[
            [name, *(entry(column, row[column]) if column in row else "" for column in grid.columns)]
            for name, row in grid.rows.items()
        ]
        + [[name, *row] for name, row in grid.bounds.items()],
        records=[record(layer, paper(layer)) for result in grid.results for layer in result.by_layer()],
        documents=[
            {**document(result), "paper": (found := paper(result)) and found._asdict()} for result in grid.results
        ],
        notes=grid.notes,
    )


def shown(result: Result) -> str:
    """A score as tables show it, with the median where shuffles are outlying, and with what is covered."""
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    partly = f" ({covered} of {asked})" if covered < asked else ""
    middle = f", median {result.median:.{result.measure.decimals}f}{FAR_OFF}" if result.outlying else ""
    return f"{result.text}{middle}{partly}"


def document(result: Result) -> dict[str, Any]:
    """A result as JSON has it: what is stored, and the interval of its mean."""
    return {**result.as_dict(), "interval": interval(result)}


def record(result: Result, paper: Published | None) -> dict[str, Any]:
    """One flat row: the cell, its figures, the paper's, and the score of each shuffle."""
    return {
        **result.cell.as_dict(),
        "metric": result.metric,
        "mean": result.mean,
        "std": result.std,
        **dict(zip(("low", "high"), interval(result) or (None, None), strict=True)),
        "median": result.median,
        "paper_mean": paper and paper.mean,
        "paper_std": paper and paper.std,
        **result.coverage,
        "scores": result.scores,
        "outlying": result.outlying,
    }
