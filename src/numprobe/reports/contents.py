"""Results, comparisons with the paper, and studies of NAQANet as tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numprobe.analysis.comparison import Compared, by_table, compare
from numprobe.analysis.paper import PAPER_EMBEDDERS, PAPER_TASKS, SAME_VECTORS, Published, beside
from numprobe.drop.studies import Figures, Study
from numprobe.drop.studies import paper as paper_figures
from numprobe.experiments import Result
from numprobe.reports.tables import Heading, Table


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


def result_tables(results: Iterable[Result], with_paper: bool = True) -> list[Table]:
    """Tables of results, with the paper's number below each of ours."""
    return [_result_table(grid, with_paper) for grid in grids(results)]


def _result_table(grid: Grid, with_paper: bool) -> Table:
    def paper(result: Result) -> Published | None:
        return beside(result) if with_paper else None

    def entry(result: Result) -> str:
        return f"{_score(result)}\n{paper(result) or ''}".rstrip()

    return Table(
        grid.title,
        headings=[Heading("embedder"), *grid.columns],
        rows=[
            [name, *(entry(row[column]) if column in row else "" for column in grid.columns)]
            for name, row in grid.rows.items()
        ],
        records=[record(layer, paper(layer)) for result in grid.results for layer in result.by_layer()],
        documents=[
            {**result.as_dict(), "paper": (found := paper(result)) and found._asdict()} for result in grid.results
        ],
    )


def _score(result: Result) -> str:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    partly = f" ({covered} of {asked})" if covered < asked else ""
    return f"{result.mean:.2f} ± {result.std:.2f}{partly}"


def record(result: Result, paper: Published | None) -> dict[str, Any]:
    """One flat row: the cell, its figures, the paper's, and the score of each shuffle."""
    return {
        **result.cell.as_dict(),
        "metric": result.metric,
        "mean": result.mean,
        "std": result.std,
        "paper_mean": paper and paper.mean,
        "paper_std": paper and paper.std,
        **result.coverage,
        "scores": result.scores,
    }


COMPARISON = ("embedder", "task", "numbers", "ours", "paper", "difference", "")


def comparison_tables(results: Sequence[Result]) -> list[Table]:
    """Our numbers beside the paper's, a table for each of its tables, and one of what the paper does not have."""
    tables = []
    for group in by_table(compare(results)):
        name = f"{group[0].table}{', quick' if group[0].result.cell.is_quick else ''}"
        agreeing = sum(one.verdict != "behind" for one in group)
        title = f"{name}: {agreeing} of {len(group)} within two deviations or better"
        tables.append(_comparison_table(title, COMPARISON, [(one.result, one) for one in group]))
    others = [(result, None) for result in results if beside(result) is None]
    return [*tables, _comparison_table("Not in the paper", COMPARISON[:4], others)] if others else tables


def _comparison_table(title: str, names: Sequence[str], pairs: Sequence[tuple[Result, Compared | None]]) -> Table:
    rows, records = [], []
    for result, one in pairs:
        numbers, measured = heading(result)
        figures = (str(one.paper), f"{one.difference:+.2f}", one.verdict) if one else ()
        rows.append([result.cell.embedder, measured, numbers, _score(result), *figures])
        records.append(
            {
                **record(result, beside(result)),
                "table": one and one.table,
                "quick": result.cell.is_quick,
                "difference": one and one.difference,
                "within": one and one.within,
                "at_least_as_good": one and one.at_least_as_good,
            }
        )
    return Table(title, list(map(Heading, names)), rows, records, labels=3)


STUDY_HEADINGS = ("row", "questions", "count", "EM", "F1", "ΔF1", "paper EM", "paper F1", "paper ΔF1")


def study_tables(studies: Iterable[Study]) -> list[Table]:
    """Tables of NAQANet's scores, and beside them the paper's."""
    tables = []
    for study in studies:
        rows = [
            (own.row, own.part, f"{own.count:,}", *_scores(own), *_scores(paper_figures(study.name, own)))
            for own in study.figures
        ]
        about = {"study": study.name, "model": study.model}
        notes = {"notes": " ".join(study.notes)}
        tables.append(
            Table(
                study.title,
                list(map(Heading, STUDY_HEADINGS)),
                rows,
                records=[about | dict(zip(STUDY_HEADINGS, row, strict=True)) | notes for row in rows],
                documents=[study.as_dict()],
                notes=study.notes,
                labels=2,
            )
        )
    return tables


def _scores(figures: Figures | None) -> tuple[str, str, str]:
    if figures is None:
        return "", "", ""
    em, f1 = ("" if score is None else f"{score:.1f}" for score in (figures.em, figures.f1))
    change = "" if figures.difference is None else f"{figures.difference:+.1f}"
    return em, f1, change if figures.error is None else f"{change} ± {figures.error:.1f}"
