"""Tables of the studies of NAQANet, the paper's scores beside ours, for a terminal, Markdown, CSV, JSON and LaTeX."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from numprobe.drop.studies import Figures, Study, paper, write_studies
from numprobe.errors import unknown
from numprobe.reports.tables import in_latex

if TYPE_CHECKING:
    from rich.console import Group

HEADINGS = ("row", "questions", "count", "EM", "F1", "ΔF1", "paper EM", "paper F1", "paper ΔF1")


def lines(study: Study) -> list[tuple[str, ...]]:
    """What each line of a table says, under `HEADINGS`."""
    return [
        (own.row, own.part, f"{own.count:,}", *_scores(own), *_scores(paper(study.name, own))) for own in study.figures
    ]


def _scores(figures: Figures | None) -> tuple[str, str, str]:
    if figures is None:
        return "", "", ""
    em, f1 = ("" if score is None else f"{score:.1f}" for score in (figures.em, figures.f1))
    change = "" if figures.difference is None else f"{figures.difference:+.1f}"
    return em, f1, change if figures.error is None else f"{change} ± {figures.error:.1f}"


def terminal(studies: Sequence[Study]) -> "Group":
    from rich.console import Group
    from rich.table import Table

    tables = []
    for study in studies:
        table = Table(title=study.title, title_justify="left", title_style="bold", caption="\n".join(study.notes))
        for place, heading in enumerate(HEADINGS):
            table.add_column(heading, justify="left" if place < 2 else "right", no_wrap=True)
        for line in lines(study):
            table.add_row(*line)
        tables.append(table)
    return Group(*tables)


def markdown(studies: Sequence[Study]) -> str:
    parts = []
    for study in studies:
        rows = [HEADINGS, ("---", "---", *["---:"] * (len(HEADINGS) - 2)), *lines(study)]
        table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
        parts.append("\n\n".join((study.title, *study.notes, table)))
    return "\n\n".join(parts)


def latex(studies: Sequence[Study]) -> str:
    parts = []
    for study in studies:
        head = [f"% {text}" for text in (study.title, *study.notes)]
        body = [" & ".join(map(in_latex, row)) + r" \\" for row in (HEADINGS, *lines(study))]
        columns = "ll" + "r" * (len(HEADINGS) - 2)
        begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
        parts.append("\n".join([*head, begin, r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule", end]))
    return "\n\n".join(parts)


def comma_separated(studies: Sequence[Study]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("study", "model", *HEADINGS, "notes"))
    for study in studies:
        writer.writerows((study.name, study.model, *line, " ".join(study.notes)) for line in lines(study))
    return text.getvalue().rstrip("\n")


WRITERS: dict[str, Callable[[Sequence[Study]], str]] = {
    "markdown": markdown,
    "csv": comma_separated,
    "json": lambda studies: write_studies(studies).rstrip("\n"),
    "latex": latex,
}
"""Every format but the terminal's."""


def render(studies: Sequence[Study], form: str) -> str:
    if form not in WRITERS:
        raise unknown("format", form, ["terminal", *WRITERS])
    return WRITERS[form](studies)
