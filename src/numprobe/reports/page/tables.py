"""Tables of results for the page: ours, below it the paper's, and how the two compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numprobe.analysis.comparison import Compared
from numprobe.analysis.paper import published
from numprobe.experiments import Cell, Result
from numprobe.reports.page.details import details
from numprobe.reports.page.markup import Html, join, tag
from numprobe.reports.tables import Grid

MARKS = {"within": "≈", "better": "▲", "behind": "▼"}
"""Verdict -> the sign that tells it without colour."""

BETTER = {"accuracy": "higher is better", "rmse": "lower is better"}


@dataclass(frozen=True)
class Tables:
    """Writes tables, and keeps what is to be shown of each cell when it is pointed at."""

    compared: Mapping[Cell, Compared]
    details: list[dict[str, Any]] = field(default_factory=list)

    def table(self, grid: Grid, not_here: Sequence[str]) -> Html:
        """A grid as a table that can be sorted and filtered; rows that are not here show the paper's numbers."""
        columns = {column: _example(grid, column) for column in grid.columns}
        some = next(iter(columns.values()))
        return tag(
            "div",
            tag(
                "table",
                tag(
                    "caption",
                    grid.title[0].upper() + grid.title[1:],
                    tag("span", "quick", class_="badge") if some.cell.is_quick else "",
                ),
                tag("thead", _tasks(columns), _numbers(columns)),
                tag(
                    "tbody",
                    *(self._row(name, [row.get(column) for column in grid.columns]) for name, row in grid.rows.items()),
                    *(_absent(name, list(columns.values())) for name in not_here if name not in grid.rows),
                ),
                data_protocol=some.cell.protocol,
            ),
            class_="scroll",
        )

    def _row(self, name: str, results: Sequence[Result | None]) -> Html:
        cells = (tag("td") if result is None else self._cell(result) for result in results)
        return tag("tr", tag("th", name, scope="row"), *cells, data_method=method(name))

    def _cell(self, result: Result) -> Html:
        compared = self.compared.get(result.cell)
        self.details.append(details(result, compared))
        covered, asked = result.coverage["covered"], result.coverage["asked"]
        says = compared.verdict if compared else ""
        return tag(
            "td",
            _figures(result.mean, result.std, "ours"),
            tag("span", MARKS[says], class_="mark", role="img", aria_label=says) if says else "",
            _figures(compared.paper.mean, compared.paper.std, "paper") if compared else "",
            tag("span", f"{covered} of {asked}", class_="note") if covered < asked else "",
            class_=says or None,
            data_value=repr(result.mean),
            data_detail=len(self.details) - 1,
            tabindex=-1,
        )


def method(embedder: str) -> str:
    """What the filter calls an embedder: its name without settings."""
    return embedder.partition(":")[0]


def _task(cell: Cell) -> str:
    return cell.task.partition(":")[0]


def _example(grid: Grid, column: tuple[str, str]) -> Result:
    return next(row[column] for row in grid.rows.values() if column in row)


def _tasks(columns: Mapping[tuple[str, str], Result]) -> Html:
    """The upper row of headings: each task over its ranges."""
    spans: dict[str, int] = {}
    for name, _ in columns:
        spans[name] = spans.get(name, 0) + 1
    metric = {name: result.metric for (name, _), result in columns.items()}
    return tag(
        "tr",
        tag("th", _sorter("embedder"), rowspan=2, scope="col", aria_sort="none", class_="corner"),
        *(
            tag("th", name, tag("small", BETTER[metric[name]]), colspan=span, scope="colgroup", class_="task")
            for name, span in spans.items()
        ),
    )


def _numbers(columns: Mapping[tuple[str, str], Result]) -> Html:
    return tag(
        "tr",
        *(
            tag(
                "th",
                _sorter(numbers),
                scope="col",
                aria_sort="none",
                data_task=_task(result.cell),
                data_form=result.cell.form,
            )
            for (_, numbers), result in columns.items()
        ),
    )


def _sorter(label: str) -> Html:
    return tag("button", label, type="button")


def _absent(name: str, columns: Sequence[Result]) -> Html:
    """A row of the paper that nothing of ours stands beside."""
    theirs = (published(replace(column.cell, embedder=name)) for column in columns)
    return tag(
        "tr",
        tag("th", name, " ", tag("span", "not here", class_="badge"), scope="row"),
        *(tag("td", _figures(paper.mean, paper.std, "paper") if paper else "") for paper in theirs),
        class_="absent",
        data_method=method(name),
    )


def _figures(mean: float, std: float | None, class_: str) -> Html:
    return tag("span", f"{mean:.2f}", "" if std is None else tag("small", f" ± {std:.2f}"), class_=class_)


def filters(cells: Sequence[Cell], absent: Sequence[str]) -> Html:
    """For each thing that rows, columns and tables differ in: everything, or one value."""
    offered = {
        "method": [*(method(cell.embedder) for cell in cells), *absent],
        "task": [_task(cell) for cell in cells],
        "form": [cell.form for cell in cells],
        "protocol": [cell.protocol for cell in cells],
    }
    return join(*(_choice(name, list(dict.fromkeys(values))) for name, values in offered.items()))


def _choice(name: str, values: Sequence[str]) -> Html:
    options = (tag("option", value, value=value) for value in values)
    return tag("label", tag("span", name), tag("select", tag("option", "all", value=""), *options, name=name))
