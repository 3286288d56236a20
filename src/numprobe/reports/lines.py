"""The number line as a picture."""

from typing import Any

from numprobe.analysis.geometry import number_lines, placed
from numprobe.embedders import EMBEDDERS, every_layer
from numprobe.numbers import Range
from numprobe.registry import Spec

PANEL = 200
MOST_POINTS = 500
"""Numbers drawn in a panel."""


def number_line_chart(model: str, numbers: str, layer: str = "", form: str = "") -> Any:
    """Draw the numbers along the first two principal components: a panel per layer, or one for a model without."""
    import altair as alt
    import pandas as pd

    name = str(Spec.parse(model).having(layer=layer)) if layer else every_layer(model)
    found = placed(EMBEDDERS.build(name), name, numbers, form)
    rows = pd.DataFrame(number_lines(found), columns=["layer", "number", "first", "second"])
    rows = rows[rows.groupby("layer").cumcount() % -(-len(found.values) // MOST_POINTS) == 0]
    base = alt.Chart(rows).encode(
        x=alt.X("first:Q", title="first component"), y=alt.Y("second:Q", title="second component")
    )
    line = base.mark_line(strokeWidth=0.5, color="#bbb").encode(order="number:Q")
    dots = base.mark_circle(size=14).encode(
        color=alt.Color("number:Q").scale(scheme="viridis"), tooltip=["number", "layer"]
    )
    drawn = alt.layer(line, dots).properties(width=PANEL, height=PANEL)
    panels = alt.Facet("layer:O", title=None, header=alt.Header(labelExpr="'layer ' + datum.value"))
    title = f"{model} {Range.parse(numbers).label}"
    if rows["layer"].nunique() == 1:
        return drawn.properties(title=title)
    return drawn.facet(panels, columns=4, title=title).resolve_scale(x="independent", y="independent")
