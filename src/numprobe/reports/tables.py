"""One kind of table, and its writers: terminal, Markdown, HTML, LaTeX, CSV, JSON, SVG and Parquet."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import rich.table
from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from numprobe.errors import NumprobeError, unknown


class Heading(NamedTuple):
    """What stands over a column, perhaps with a group of columns.

    >>> str(Heading("[0,99]", "decoding"))
    'decoding [0,99]'
    """

    name: str
    group: str = ""
    """A heading over this column and its neighbours."""

    def __str__(self) -> str:
        return f"{self.group} {self.name}".lstrip()


@dataclass(frozen=True)
class Table:
    """Rows under headings, as every writer takes them.

    >>> table = Table("Scores", [Heading("embedder"), Heading("rmse")], [["value", "0.00"], ["random", "29.1\\n29.6"]])
    >>> print(render([table], "markdown"))
    Scores, the paper's in brackets
    <BLANKLINE>
    | embedder | rmse |
    | --- | ---: |
    | value | 0.00 |
    | random | 29.1 (29.6) |
    """

    title: str
    headings: Sequence[Heading]
    rows: Sequence[Sequence[str]]
    """Texts. The second line of a text, if it has one, is the paper's number."""
    records: Sequence[Mapping[str, Any]] = ()
    """Flat rows for CSV and Parquet."""
    documents: Sequence[Mapping[str, Any]] = ()
    """What JSON holds, if it is more than the records."""
    notes: Sequence[str] = ()
    labels: int = 1
    """How many columns name the rows: aligned to the left, and repeated when a wide table is split."""

    def titled(self, place: str) -> str:
        """The title, with the place where the paper's numbers stand."""
        has_paper = any("\n" in text for row in self.rows for text in row[self.labels :])
        return f"{self.title}, the paper's {place}" if has_paper else self.title

    @cached_property
    def sides(self) -> list[str]:
        """Where each column is aligned: labels and words to the left, figures to the right."""

        def holds_words(texts: Sequence[str]) -> bool:
            return any(map(str.isalpha, "".join(texts))) and not any(map(str.isdigit, "".join(texts)))

        columns = [[row[place] for row in self.rows] for place in range(len(self.headings))]
        return ["left" if place < self.labels or holds_words(texts) else "right" for place, texts in enumerate(columns)]

    def groups(self) -> list[tuple[str, list[int]]]:
        """The group headings from left to right, each with the positions of its columns; not those of labels."""
        places = range(self.labels, len(self.headings))
        return [(group, list(own)) for group, own in groupby(places, key=lambda place: self.headings[place].group)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """What rich prints: the paper's numbers dimmed below ours, and a table too wide for the terminal in parts."""

        def fits(drawn: rich.table.Table) -> bool:
            return console.measure(drawn, options=options.update(width=10_000)).maximum <= options.max_width

        def split(group: str, places: Sequence[int]) -> Iterator[RenderableType]:
            drawn = self._drawn(places, [self.headings[place].name for place in places])
            if fits(drawn) or len(places) == 1:
                yield from (Text(group, style="italic"), drawn)
            else:
                half = len(places) // 2
                yield from split(group, places[:half])
                yield from split(group, places[half:])

        yield Text(self.titled("below"), style="bold")
        names = [f"{heading.group}\n{heading.name}".lstrip() for heading in self.headings[self.labels :]]
        whole = self._drawn(range(self.labels, len(self.headings)), names)
        if fits(whole):
            yield whole
        else:
            for group, places in self.groups():
                yield from split(group, places)
        yield from (Text(note, style="dim") for note in self.notes)

    def _drawn(self, places: Sequence[int], names: Sequence[str]) -> rich.table.Table:
        """The labels and some columns, under these names, of the rows that have something in them."""
        drawn = rich.table.Table()
        for heading in self.headings[: self.labels]:
            drawn.add_column(Text(heading.name), no_wrap=True)
        for place, name in zip(places, names, strict=True):
            drawn.add_column(Text(name), justify="left" if self.sides[place] == "left" else "right", no_wrap=True)
        for row in self.rows:
            if any(row[place] for place in places):
                drawn.add_row(*(_dimmed(text) for text in (*row[: self.labels], *(row[place] for place in places))))
        return drawn


def _dimmed(text: str) -> Text:
    first, line, second = text.partition("\n")
    return Text(first).append(line + second, style="dim")


def _bracketed(text: str) -> str:
    first, line, second = text.partition("\n")
    return f"{first} ({second})" if line else first


def _markdown(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [
            list(map(str, table.headings)),
            ["---" if side == "left" else "---:" for side in table.sides],
            *([_bracketed(text) for text in row] for row in table.rows),
        ]
        escaped = ([html.escape(text, quote=False).replace("|", r"\|") for text in line] for line in lines)
        body = "\n".join(f"| {' | '.join(line)} |" for line in escaped)
        above = (html.escape(text, quote=False) for text in (table.titled("in brackets"), *table.notes))
        parts.append("\n\n".join((*above, body)))
    return "\n\n".join(parts)


def _html(tables: Sequence[Table]) -> str:
    """A plain table, as notebooks show it."""

    def line(tag: str, texts: Iterable[str], sides: Sequence[str]) -> str:
        made = (
            f'<{tag} style="text-align: {at}; white-space: pre">{html.escape(text)}</{tag}>'
            for text, at in zip(texts, sides, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    parts = []
    for table in tables:
        head = line("th", (f"{own.group}\n{own.name}".lstrip() for own in table.headings), table.sides)
        body = "".join(line("td", row, table.sides) for row in table.rows)
        notes = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in table.notes)
        title = html.escape(table.titled("below"))
        parts.append(f"<table><caption>{title}</caption><thead>{head}</thead><tbody>{body}</tbody></table>{notes}")
    return "\n".join(parts)


def _latex(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        texts = ([heading.name for heading in table.headings], *(map(_bracketed, row) for row in table.rows))
        head, *body = (" & ".join(map(in_latex, line)) + r" \\" for line in texts)
        if any(heading.group for heading in table.headings):
            spans = (rf"\multicolumn{{{len(places)}}}{{c}}{{{in_latex(group)}}}" for group, places in table.groups())
            head = " & ".join((*[""] * table.labels, *spans)) + " \\\\\n" + head
        above = [f"% {text}" for text in (table.titled("in brackets"), *table.notes)]
        begin = rf"\begin{{tabular}}{{{'l' * table.labels}{'r' * (len(table.headings) - table.labels)}}}"
        end = [r"\bottomrule", r"\end{tabular}"]
        parts.append("\n".join([*above, begin, r"\toprule", head, r"\midrule", *body, *end]))
    return "\n\n".join(parts)


_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "→": r"$\to$"}
    | {"±": r"$\pm$", "Δ": r"$\Delta$", "†": r"$\dagger$"}
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
    console = Console(record=True, width=110, file=io.StringIO(), force_terminal=True)
    console.print(*tables)
    return re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="numprobe"), flags=re.DOTALL)


WRITERS: dict[str, Callable[[Sequence[Table]], str | bytes]] = {
    "markdown": _markdown,
    "html": _html,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
    "svg": _svg,
    "parquet": _parquet,
}
"""The formats that can be files; rich prints tables as they are."""


def render(tables: Sequence[Table], form: str) -> str | bytes:
    """Write tables in one of the formats of `WRITERS`.

    >>> headings, rows = [Heading("embedder"), Heading("rmse")], [["value", "0.00"]]
    >>> print(render([Table("Scores", headings, rows, records=[{"embedder": "value", "rmse": 0.0}])], "csv"))
    embedder,rmse
    value,0.0
    """
    if form not in WRITERS:
        raise unknown("format", form, ["terminal", *WRITERS])
    return WRITERS[form](tables)
