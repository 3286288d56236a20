"""Tables of results, ours beside the paper's or alone, for a terminal, Markdown, CSV, JSON, LaTeX and parquet."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numprobe.analysis.paper import Published, beside
from numprobe.embedders import EMBEDDERS
from numprobe.errors import NumprobeError, unknown
from numprobe.experiments import Result
from numprobe.registry import Spec
from numprobe.tasks import TASKS

if TYPE_CHECKING:
    from rich.console import Group

Beside = Callable[[Result], Published | None]
"""What stands beside a result."""


def alone(result: Result) -> None:
    """Nothing stands beside a result."""


@dataclass(frozen=True)
class Grid:
    """Results that can stand side by side: a row per embedder, a column per task and range."""

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: dict[str, dict[tuple[str, str], Result]]

    def titled(self, paper: Beside, where: str) -> str:
        """The title, with where the paper's numbers stand if there are any."""
        has_paper = any(paper(result) for row in self.rows.values() for result in row.values())
        return f"{self.title}; {where}: the paper's" if has_paper else self.title


def grids(results: Iterable[Result]) -> list[Grid]:
    """Sort results into one grid per protocol and number of shuffles."""
    groups: dict[tuple[str, int], list[Result]] = {}
    for result in _by_layer(results):
        groups.setdefault((result.cell.protocol, result.cell.seeds), []).append(result)
    made = []
    for (protocol, seeds), group in sorted(groups.items()):
        columns = sorted({headings(result): None for result in group}, key=lambda c: _column_order(c, group))
        rows: dict[str, dict[tuple[str, str], Result]] = {}
        for result in sorted(group, key=lambda r: _row_order(r.cell.embedder)):
            rows.setdefault(result.cell.embedder, {})[headings(result)] = result
        quick = ", quick" if group[0].cell.is_quick else ""
        title = f"protocol {protocol}, {seeds} shuffle{'s' if seeds > 1 else ''}{quick}: mean ± deviation"
        made.append(Grid(title, tuple(columns), rows))
    return made


def _by_layer(results: Iterable[Result]) -> Iterable[Result]:
    return (layer for result in results for layer in result.by_layer())


def headings(result: Result) -> tuple[str, str]:
    """The two headings of a result's column: the task and how it is scored, the range and how it is written."""
    cell = result.cell
    probe = "" if cell.probe in ("mlp", "bilstm") else f", {cell.probe}"
    numbers = f"[{cell.range.replace(':', ',')}]"
    if cell.form == "words":
        numbers += " in words"
    if cell.test_range:
        numbers += f" → [{cell.test_range.replace(',', '] [').replace(':', ',')}]"
    return f"{cell.task} ({result.metric}{probe})", numbers


def _column_order(column: tuple[str, str], group: Sequence[Result]) -> tuple[Any, ...]:
    result = next(result for result in group if headings(result) == column)
    numbers = result.cell.numbers
    return list(TASKS).index(Spec.parse(result.cell.task).name), column[0], numbers.decimals, numbers.size, column[1]


def _row_order(embedder: str) -> tuple[int, list[tuple[int, str]]]:
    """The order of the registry, and of numbers inside of names: layer=2 before layer=10."""
    names = list(EMBEDDERS)
    name = Spec.parse(embedder).name
    parts = [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", embedder)]
    return names.index(name) if name in names else len(names), parts


def _entry(paper: Beside, result: Result | None, theirs: str) -> str:
    """Our number, and the paper's as `theirs` writes it."""
    if result is None:
        return ""
    own, other = f"{result.mean:.2f} ± {result.std:.2f}", paper(result)
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    if covered < asked:
        own += f" ({covered} of {asked})"
    return own + (theirs.format(other) if other else "")


def terminal(results: Sequence[Result], paper: Beside = beside) -> "Group":
    """Tables for rich: below each of our numbers, dimmed, the paper's."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    tables = []
    for grid in grids(results):
        table = Table(title=grid.titled(paper, "below each"), title_justify="left", title_style="bold")
        table.add_column("embedder", no_wrap=True)
        for task, numbers in grid.columns:
            table.add_column(f"{task}\n{numbers}", justify="right", overflow="fold")
        for embedder, row in grid.rows.items():
            entries = (_entry(paper, row.get(column), "\n[dim]{}[/dim]") for column in grid.columns)
            table.add_row(Text(embedder), *entries)
        tables.append(table)
    return Group(*tables)


def markdown(results: Sequence[Result], paper: Beside = beside) -> str:
    """Markdown tables, the paper's numbers in brackets."""
    parts = []
    for grid in grids(results):
        head = ["embedder", *(f"{task} {numbers}" for task, numbers in grid.columns)]
        lines = [head, ["---"] + ["---:"] * len(grid.columns)]
        for embedder, row in grid.rows.items():
            entries = [_entry(paper, row.get(c), " ({})") for c in grid.columns]
            lines.append([html.escape(embedder, quote=False).replace("|", r"\|"), *entries])
        body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts.append(f"{grid.titled(paper, 'in brackets')}\n\n{body}")
    return "\n\n".join(parts)


def latex(results: Sequence[Result], paper: Beside = beside) -> str:
    """LaTeX tables with booktabs, the paper's numbers in brackets."""
    parts = []
    for grid in grids(results):
        tasks = list(dict.fromkeys(task for task, _ in grid.columns))
        widths = [sum(task == t for t, _ in grid.columns) for task in tasks]
        spans = [rf"\multicolumn{{{w}}}{{c}}{{{in_latex(t)}}}" for t, w in zip(tasks, widths, strict=True)]
        lines = [f"% {grid.titled(paper, 'in brackets')}", rf"\begin{{tabular}}{{l{'r' * len(grid.columns)}}}"]
        lines += [r"\toprule", " & ".join(["", *spans]) + r" \\"]
        lines += [" & ".join(["embedder", *(in_latex(numbers) for _, numbers in grid.columns)]) + r" \\", r"\midrule"]
        for embedder, row in grid.rows.items():
            entries = [_entry(paper, row.get(c), " ({})") for c in grid.columns]
            lines.append(" & ".join([in_latex(embedder), *(e.replace("±", r"$\pm$") for e in entries)]) + r" \\")
        parts.append("\n".join([*lines, r"\bottomrule", r"\end{tabular}"]))
    return "\n\n".join(parts)


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "→": r"$\to$"}
    | {"±": r"$\pm$", "Δ": r"$\Delta$"}
)


def in_latex(text: str) -> str:
    """
    >>> print(in_latex(r"~/my_model^2"))
    \\textasciitilde{}/my\\_model\\textasciicircum{}2
    """
    return text.translate(_LATEX)


def records(results: Iterable[Result], paper: Beside = beside) -> list[dict[str, Any]]:
    """One flat row per result: the cell, the figures, the paper's figures, and the score of each shuffle."""
    rows = []
    for result in _by_layer(results):
        theirs = paper(result)
        rows.append(
            {
                **result.cell.as_dict(),
                "metric": result.metric,
                "mean": result.mean,
                "std": result.std,
                "paper_mean": theirs.mean if theirs else None,
                "paper_std": theirs.std if theirs else None,
                **result.coverage,
                "scores": result.scores,
            }
        )
    return rows


def comma_separated(results: Sequence[Result], paper: Beside = beside) -> str:
    """CSV with one line per result; the scores of the shuffles are separated by spaces."""
    text = io.StringIO()
    rows = records(results, paper)
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "scores": " ".join(map(repr, row["scores"]))} for row in rows)
    return text.getvalue().rstrip("\n")


def document(results: Sequence[Result], paper: Beside = beside) -> str:
    """One JSON document: a list of results, each with the paper's figures or null."""
    rows = []
    for result in results:
        theirs = paper(result)
        rows.append({**result.as_dict(), "paper": theirs._asdict() if theirs else None})
    return json.dumps(rows, indent=2, ensure_ascii=False)


def parquet(results: Sequence[Result], paper: Beside = beside) -> bytes:
    """A parquet file with one row per result."""
    import pandas as pd

    try:
        return pd.DataFrame(records(results, paper)).to_parquet(engine="pyarrow", index=False)
    except ImportError:
        raise NumprobeError("parquet needs pyarrow: pip install pyarrow") from None


def picture(results: Sequence[Result], paper: Beside = beside) -> str:
    """An SVG picture of what a terminal shows, with no font from the network."""
    from rich.console import Console

    console = Console(record=True, width=110, file=io.StringIO(), force_terminal=True)
    console.print(terminal(results, paper))
    return re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="numprobe"), flags=re.DOTALL)


WRITERS: dict[str, Callable[[Sequence[Result], Beside], str | bytes]] = {
    "markdown": markdown,
    "csv": comma_separated,
    "json": document,
    "latex": latex,
    "svg": picture,
    "parquet": parquet,
}
"""Every format that can be a file; `terminal` is the other one."""


def render(results: Sequence[Result], form: str, paper: Beside = beside) -> str | bytes:
    if form not in WRITERS:
        raise unknown("format", form, ["terminal", *WRITERS])
    return WRITERS[form](results, paper)
