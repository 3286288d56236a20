"""Results as the library returns them: they print as a table, become a data frame, and plot."""

from collections import UserList
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from numprobe.analysis.paper import beside
from numprobe.analysis.statistics import Paired, compare_all
from numprobe.errors import NumprobeError, one_of
from numprobe.experiments import Cell, Result
from numprobe.files.writing import write_whole
from numprobe.reports.comparisons import paired_table
from numprobe.reports.contents import heading, record, result_tables
from numprobe.reports.tables import Heading, Table, render

ENDINGS = {
    ".md": "markdown", ".html": "html", ".csv": "csv", ".json": "json", ".tex": "latex", ".svg": "svg",
    ".parquet": "parquet",
}  # fmt: skip
"""How the name of a file ends -> its format."""

if TYPE_CHECKING:
    import pandas as pd


class Results(UserList[Result]):
    """A list of results. If there is only one, `scores`, `mean` and `std` are those of that result.

    >>> import numprobe
    >>> results = numprobe.probe(["value", "length"], numbers="0:99", probe="linear")
    >>> results
    <Results: 2 results>
    >>> results.to_frame()[["embedder", "task", "metric"]].values.tolist()
    [['value', 'decoding', 'rmse'], ['length', 'decoding', 'rmse']]
    >>> results[0].mean < results[1].mean
    True
    """

    def __init__(self, results: Iterable[Result] = (), kept: Iterable[Cell] = ()) -> None:
        super().__init__(results)
        self.kept = frozenset(kept)
        """The cells whose results were in the store already."""

    def _tables(self) -> list[Table]:
        tables = result_tables(self)
        count = sum(result.cell in self.kept for result in self)
        if not count:
            return tables
        which = "all results come" if count == len(self) else f"{count} of {len(self)} results come"
        return [*tables[:-1], replace(tables[-1], notes=[*tables[-1].notes, f"{which} from the store"])]

    def _single(self) -> Result:
        if len(self) != 1:
            raise NumprobeError(f"there are {len(self)} results: pick one, as in results[0], or use to_frame()")
        return self[0]

    @property
    def scores(self) -> list[float]:
        return self._single().scores

    @property
    def mean(self) -> float:
        return self._single().mean

    @property
    def std(self) -> float:
        return self._single().std

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with one row per result; a sweep over layers has a row per layer."""
        import pandas as pd

        return pd.DataFrame([record(layer, beside(layer)) for result in self for layer in result.by_layer()])

    def plot(self) -> Any:
        """Return an Altair chart; `.save("chart.svg")` writes it (also .html, .png, .pdf)."""
        from numprobe.reports.charts import Shown, chart

        return Shown(chart(self))

    def to_latex(self) -> str:
        """Return the tables in LaTeX, with the paper's numbers in brackets."""
        return str(render(result_tables(self), "latex"))

    def save(self, path: str | Path) -> None:
        """Write the tables to a file: .md, .html, .csv, .json, .tex, .svg or .parquet."""
        ending = Path(path).suffix
        one_of("format of a table", ending, ENDINGS)
        document = render(result_tables(self), ENDINGS[ending])
        write_whole(Path(path), document if isinstance(document, bytes) else f"{document}\n")

    def compare(self) -> "Comparisons":
        """Compare each result with each other one on the same task and numbers, shuffle by shuffle.

        >>> import numprobe
        >>> results = numprobe.probe(["value", "length"], numbers="0:50", probe="linear")
        >>> [pair.better.cell.embedder for pair in results.compare()]
        ['value']
        """
        groups: dict[Heading, list[Result]] = {}
        for result in self:
            groups.setdefault(heading(result), []).append(result)
        return Comparisons(pair for group in groups.values() for pair in compare_all(group))

    def __str__(self) -> str:
        return _printed(self._tables())

    def __repr__(self) -> str:
        return f"<Results: {len(self)} result{'' if len(self) == 1 else 's'}>"

    def _repr_markdown_(self) -> str:
        return str(render(self._tables(), "markdown"))

    def _repr_html_(self) -> str:
        return str(render(self._tables(), "html"))


class Comparisons(UserList[Paired]):
    """A list of comparisons, which prints as a table.

    >>> import numprobe
    >>> results = numprobe.probe(["value", "length"], numbers="0:50", probe="linear")
    >>> results.compare().to_frame()[["a", "b", "better"]].values.tolist()
    [['value', 'length', 'value']]
    """

    def to_frame(self) -> "pd.DataFrame":
        """Return a data frame with one row per comparison."""
        import pandas as pd

        return pd.DataFrame(list(self._table().documents))

    def _table(self) -> Table:
        return paired_table(self.data)

    def __str__(self) -> str:
        return _printed([self._table()])

    def __repr__(self) -> str:
        return f"<Comparisons: {len(self)}>"

    def _repr_html_(self) -> str:
        return str(render([self._table()], "html"))


def _printed(tables: Sequence[Table]) -> str:
    console = Console(width=160, color_system=None)
    with console.capture() as capture:
        console.print(*tables)
    return capture.get().rstrip()
