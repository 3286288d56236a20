"""One kind of table, and its writers: terminal, Markdown, LaTeX, CSV, JSON, SVG and Parquet."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from numprobe.errors import NumprobeError, unknown

if TYPE_CHECKING:
    import rich.table
    from rich.console import Console, ConsoleOptions, RenderableType


@dataclass(frozen=True)
class Column:
    name: str
    group: str = ""
    """A heading over this column and its neighbours."""
    is_label: bool = False
    """Whether it names the rows: aligned to the left, and repeated when a wide table is split."""


@dataclass(frozen=True)
class Entry:
    text: str = ""
    second: str = ""
    """A text of less weight, such as the paper's number."""


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entry, ...], ...]
    records: tuple[Mapping[str, Any], ...]
    """Flat rows for CSV and Parquet."""
    documents: tuple[Mapping[str, Any], ...] = ()
    """What JSON holds, if it is more than the records."""
    second: str = ""
    """What the second texts are, such as "the paper's"."""
    notes: tuple[str, ...] = ()

    def titled(self, place: str) -> str:
        """The title, with the place where the second texts stand."""
        return f"{self.title}, {self.second} {place}" if self.second else self.title

    def groups(self) -> list[tuple[str, list[int]]]:
        """The group headings from left to right, each with the positions of its columns."""
        found = groupby(range(len(self.columns)), key=lambda place: self.columns[place].group)
        return [(group, list(places)) for group, places in found]


@dataclass(frozen=True)
class Terminal:
    """Tables as rich prints them, second texts dimmed below. Tables too wide for the terminal are split."""

    tables: Sequence[Table]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "Iterator[RenderableType]":
        from rich.text import Text

        for table in self.tables:
            yield Text(table.titled("below"), style="bold")
            for group, places in _parts(table, options.max_width):
                if group:
                    yield Text(group, style="italic")
                yield _rich_table(table, places, bool(group))
            for note in table.notes:
                yield Text(note, style="dim")


def _parts(table: Table, width: int) -> list[tuple[str, list[int]]]:
    """Which columns to print under which heading: all together if they fit, and else each group of them alone."""
    labels = [place for place, column in enumerate(table.columns) if column.is_label]
    others = [place for place in range(len(table.columns)) if place not in labels]
    if sum(_width(table, place, is_grouped=False) for place in (*labels, *others)) < width:
        return [("", [*labels, *others])]
    room = width - 1 - sum(_width(table, place, is_grouped=True) for place in labels)
    parts: list[tuple[str, list[int]]] = []
    for group, places in table.groups():
        left = 0
        for place in (place for place in places if place not in labels):
            needed = _width(table, place, is_grouped=True)
            if needed > left:
                parts.append((group, [*labels]))
                left = room
            parts[-1][1].append(place)
            left -= needed
    return parts


def _width(table: Table, place: int, is_grouped: bool) -> int:
    from rich.cells import cell_len

    entries = (text for row in table.rows for text in (row[place].text, row[place].second))
    padding_and_border = 3
    return max(map(cell_len, (*_heading(table.columns[place], is_grouped), *entries))) + padding_and_border


def _heading(column: Column, is_grouped: bool) -> list[str]:
    return [column.group, column.name] if column.group and not is_grouped else [column.name]


def _rich_table(table: Table, places: Sequence[int], is_grouped: bool) -> "rich.table.Table":
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable()
    for place in places:
        column = table.columns[place]
        heading = Text("\n".join(_heading(column, is_grouped)))
        drawn.add_column(heading, justify="left" if column.is_label else "right", no_wrap=True)
    for row in table.rows:
        if any(row[place].text for place in places if not table.columns[place].is_label):
            entries = (row[place] for place in places)
            drawn.add_row(*(Text(one.text).append(one.second and f"\n{one.second}", style="dim") for one in entries))
    return drawn


def _bracketed(entry: Entry) -> str:
    return f"{entry.text} ({entry.second})" if entry.second else entry.text


def _markdown(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [
            [f"{column.group} {column.name}".lstrip() for column in table.columns],
            ["---" if column.is_label else "---:" for column in table.columns],
            *([_bracketed(entry) for entry in row] for row in table.rows),
        ]
        escaped = ([html.escape(text, quote=False).replace("|", r"\|") for text in line] for line in lines)
        body = "\n".join(f"| {' | '.join(line)} |" for line in escaped)
        above = (html.escape(text, quote=False) for text in (table.titled("in brackets"), *table.notes))
        parts.append("\n\n".join((*above, body)))
    return "\n\n".join(parts)


def _latex(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [[in_latex(column.name) for column in table.columns]]
        lines += [[in_latex(_bracketed(entry)) for entry in row] for row in table.rows]
        head, *body = (" & ".join(line) + r" \\" for line in lines)
        above = [f"% {text}" for text in (table.titled("in brackets"), *table.notes)]
        begin = rf"\begin{{tabular}}{{{''.join('l' if column.is_label else 'r' for column in table.columns)}}}"
        end = [r"\bottomrule", r"\end{tabular}"]
        parts.append("\n".join([*above, begin, r"\toprule", *_spans(table), head, r"\midrule", *body, *end]))
    return "\n\n".join(parts)


def _spans(table: Table) -> list[str]:
    """The line of group headings, if there are any."""
    groups = table.groups()
    if not any(group for group, _ in groups):
        return []
    spans = []
    for group, places in groups:
        spans += [rf"\multicolumn{{{len(places)}}}{{c}}{{{in_latex(group)}}}"] if group else [""] * len(places)
    return [" & ".join(spans) + r" \\"]


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "→": r"$\to$"}
    | {"±": r"$\pm$", "Δ": r"$\Delta$"}
)


def in_latex(text: str) -> str:
    """Escape a text for LaTeX.

    >>> print(in_latex(r"~/my_model^2"))
    \\textasciitilde{}/my\\_model\\textasciicircum{}2
    """
    return text.translate(_LATEX)


def _csv(tables: Sequence[Table]) -> str:
    """One line per record; lists of numbers are separated by spaces."""
    records = [record for table in tables for record in table.records]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for record in records for key in record)), lineterminator="\n")
    writer.writeheader()
    for record in records:
        lists = {key: " ".join(map(repr, value)) for key, value in record.items() if isinstance(value, list)}
        writer.writerow({**record, **lists})
    return text.getvalue().rstrip("\n")


def _json(tables: Sequence[Table]) -> str:
    documents = [document for table in tables for document in table.documents or table.records]
    return json.dumps(documents, indent=2, ensure_ascii=False)


def _parquet(tables: Sequence[Table]) -> bytes:
    import pandas as pd

    try:
        frame = pd.DataFrame([record for table in tables for record in table.records])
        return frame.to_parquet(engine="pyarrow", index=False)
    except ImportError:
        raise NumprobeError("Parquet files need pyarrow: pip install pyarrow") from None


def _svg(tables: Sequence[Table]) -> str:
    """A picture of what a terminal shows, without a font from the network."""
    from rich.console import Console

    console = Console(record=True, width=110, file=io.StringIO(), force_terminal=True)
    console.print(Terminal(tables))
    return re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="numprobe"), flags=re.DOTALL)


WRITERS: dict[str, Callable[[Sequence[Table]], str | bytes]] = {
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
    "svg": _svg,
    "parquet": _parquet,
}
"""The formats that can be files; a terminal prints `Terminal(tables)`."""


def render(tables: Sequence[Table], form: str) -> str | bytes:
    """Write tables in one of the formats of `WRITERS`."""
    if form not in WRITERS:
        raise unknown("format", form, ["terminal", *WRITERS])
    return WRITERS[form](tables)
