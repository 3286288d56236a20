"""Results as the library returns them: they print as a table, become a data frame, and plot."""

from collections import UserList
from typing import TYPE_CHECKING, Any

from rich.console import Console

from numprobe.analysis.paper import beside
from numprobe.errors import NumprobeError
from numprobe.experiments import Result
from numprobe.reports.contents import record, result_tables
from numprobe.reports.tables import render

if TYPE_CHECKING:
    import pandas as pd


class Results(UserList[Result]):
    """A list of results. If there is only one, `scores`, `mean` and `std` are those of that result."""

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
        from numprobe.reports.charts import chart

        return chart(self)

    def __str__(self) -> str:
        console = Console(width=160, color_system=None)
        with console.capture() as capture:
            console.print(*result_tables(self))
        return capture.get().rstrip()

    def __repr__(self) -> str:
        return f"<Results: {len(self)} result{'' if len(self) == 1 else 's'}>"

    def _repr_markdown_(self) -> str:
        return str(render(result_tables(self), "markdown"))
