"""The geometry of a model's numbers on a page: a table with a row per layer, and the number line."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from numprobe.analysis.geometry import WARNING, Geometry, geometries
from numprobe.embedders import EMBEDDERS, every_layer
from numprobe.numbers import Range
from numprobe.reports.lines import number_line_chart
from numprobe.reports.tables import Heading, Table


@dataclass(frozen=True)
class Layout:
    """How the vectors of a model's numbers lie."""

    name: str
    table: Table
    line: Any
    """The number line, as an Altair chart."""


def layout(model: str, numbers: str = "0:999") -> Layout:
    """Look at every layer of a model, or at the one that its settings name."""
    name = every_layer(model)
    found = geometries(EMBEDDERS.build(name), name, numbers)
    return Layout(
        model, geometry_table(f"{model}, {Range.parse(numbers).label}", found), number_line_chart(model, numbers)
    )


def geometry_table(title: str, found: Sequence[Geometry]) -> Table:
    """A row per layer: the power at each period with κ beside it, distances, and the first component."""
    periods = [period for period in found[0].kappa if period in found[0].spectrum]
    return Table(
        title,
        [
            Heading("layer"),
            *(Heading(f"{what} {period}") for period in periods for what in ("power", "κ")),
            *(Heading(f"{name} distance") for name in asdict(found[0].rsa)),
            Heading("first component"),
        ],
        [
            [
                str(number) if len(found) > 1 else "",
                *(text for period in periods for text in (f"{own.spectrum[period]:.3g}", f"{own.kappa[period]:.2f}")),
                *(f"{value:.2f}" for value in asdict(own.rsa).values()),
                f"{own.first_component:.2f}",
            ]
            for number, own in enumerate(found)
        ],
        notes=[
            "power: of the wave of a period, as a multiple of the median; κ: of the remainder, on held-out numbers; "
            "distance: its rank correlation with that of the vectors; first component: its share of the variance",
            WARNING,
        ],
    )
