"""Results, comparisons with the paper, and studies of NAQANet as tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from numprobe.analysis.comparison import Compared, by_table, count
from numprobe.analysis.paper import beside
from numprobe.drop.studies import Figures, Study
from numprobe.drop.studies import paper as paper_figures
from numprobe.experiments import Result
from numprobe.reports.grids import Grid, grids, heading
from numprobe.reports.tables import Column, Entry, Table


def result_tables(results: Iterable[Result], with_paper: bool = True) -> list[Table]:
    """Tables of results, with the paper's number as the second text of each entry."""
    return [_result_table(grid, with_paper) for grid in grids(results)]


def _result_table(grid: Grid, with_paper: bool) -> Table:
    rows = []
    for embedder, row in grid.rows.items():
        entries = (_entry(row[column], with_paper) if column in row else Entry() for column in grid.columns)
        rows.append((Entry(embedder), *entries))
    return Table(
        grid.title,
        columns=(Column("embedder", is_label=True), *(Column(numbers, group) for group, numbers in grid.columns)),
        rows=tuple(rows),
        records=tuple(record(layer, with_paper) for result in grid.results for layer in result.by_layer()),
        documents=tuple(_document(result, with_paper) for result in grid.results),
        second="the paper's" if any(entry.second for row in rows for entry in row) else "",
    )


def _entry(result: Result, with_paper: bool) -> Entry:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    partly = f" ({covered} of {asked})" if covered < asked else ""
    paper = beside(result) if with_paper else None
    return Entry(f"{result.mean:.2f} ± {result.std:.2f}{partly}", str(paper) if paper else "")


def record(result: Result, with_paper: bool = True) -> dict[str, Any]:
    """One flat row: the cell, its figures, the paper's, and the score of each shuffle."""
    paper = beside(result) if with_paper else None
    return {
        **result.cell.as_dict(),
        "metric": result.metric,
        "mean": result.mean,
        "std": result.std,
        "paper_mean": paper.mean if paper else None,
        "paper_std": paper.std if paper else None,
        **result.coverage,
        "scores": result.scores,
    }


def _document(result: Result, with_paper: bool) -> dict[str, Any]:
    paper = beside(result) if with_paper else None
    return {**result.as_dict(), "paper": paper._asdict() if paper else None}


def comparison_tables(compared: Sequence[Compared]) -> list[Table]:
    """Our numbers beside the paper's, a table for each of the paper's."""
    labels = tuple(Column(name, is_label=True) for name in ("embedder", "task", "numbers"))
    columns = (*labels, *map(Column, ("ours", "paper", "difference", "")))
    return [
        Table(
            f"{counts.table}{', quick' if counts.quick else ''}: "
            f"{counts.within_or_better} of {counts.cells} within two deviations or better",
            columns=columns,
            rows=tuple(tuple(map(Entry, _comparison(one))) for one in group),
            records=tuple(_comparison_record(one) for one in group),
        )
        for group, counts in zip(by_table(compared), count(compared), strict=True)
    ]


def _comparison(one: Compared) -> tuple[str, ...]:
    scores = _entry(one.result, with_paper=True)
    figures = scores.text, scores.second, f"{one.difference:+.2f}", one.verdict
    return (one.result.cell.embedder, *heading(one.result), *figures)


def _comparison_record(one: Compared) -> dict[str, Any]:
    return {
        **record(one.result),
        "table": one.table,
        "quick": one.result.cell.is_quick,
        "difference": one.difference,
        "within": one.within,
        "at_least_as_good": one.at_least_as_good,
    }


STUDY_HEADINGS = ("row", "questions", "count", "EM", "F1", "ΔF1", "paper EM", "paper F1", "paper ΔF1")


def study_tables(studies: Iterable[Study]) -> list[Table]:
    """Tables of NAQANet's scores, and beside them the paper's."""
    columns = tuple(Column(name, is_label=name in ("row", "questions")) for name in STUDY_HEADINGS)
    tables = []
    for study in studies:
        lines = [
            (own.row, own.part, f"{own.count:,}", *_scores(own), *_scores(paper_figures(study.name, own)))
            for own in study.figures
        ]
        about = {"study": study.name, "model": study.model}
        tables.append(
            Table(
                study.title,
                columns,
                rows=tuple(tuple(map(Entry, line)) for line in lines),
                records=tuple(
                    {**about, **dict(zip(STUDY_HEADINGS, line, strict=True)), "notes": " ".join(study.notes)}
                    for line in lines
                ),
                documents=(study.as_dict(),),
                notes=study.notes,
            )
        )
    return tables


def _scores(figures: Figures | None) -> tuple[str, str, str]:
    if figures is None:
        return "", "", ""
    em, f1 = ("" if score is None else f"{score:.1f}" for score in (figures.em, figures.f1))
    change = "" if figures.difference is None else f"{figures.difference:+.1f}"
    return em, f1, change if figures.error is None else f"{change} ± {figures.error:.1f}"
