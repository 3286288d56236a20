"""Charts of results, with Vega-Altair: interactive in a notebook, and saved as HTML, SVG, PNG or PDF."""

import json
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numprobe.analysis.inspection import Inspection
from numprobe.errors import NumprobeError, one_of
from numprobe.experiments import Cell, Result
from numprobe.files.writing import write_whole
from numprobe.registry import Spec

if TYPE_CHECKING:
    import pandas as pd

CHART_FORMATS = (".svg", ".png", ".pdf", ".html", ".json")


def altair() -> Any:
    try:
        import altair
    except ImportError:
        raise NumprobeError("plots need altair: pip install 'numprobe[plot]'") from None
    altair.data_transformers.disable_max_rows()
    return altair


class _ScriptEncoder(json.JSONEncoder):
    """JSON inside of a script element, which no name in it can end."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")


def save_chart(made: Any, file: str) -> None:
    """Write a chart in the format that the file's name ends with."""
    ending = Path(file).suffix
    one_of("ending of a chart's file", ending, CHART_FORMATS)
    drawn: BytesIO | StringIO = BytesIO() if ending in (".png", ".pdf") else StringIO()
    options: dict[str, Any] = {"inline": True, "json_kwds": {"cls": _ScriptEncoder}} if ending == ".html" else {}
    made.save(drawn, format=ending.removeprefix("."), **options)
    write_whole(Path(file), drawn.getvalue())


def chart(results: Sequence[Result]) -> Any:
    """The score by layer of a sweep; decoding: predictions of held-out numbers; otherwise the score of each shuffle."""
    import pandas as pd

    alt = altair()
    if any(result.layers for result in results):
        return by_layer(results)
    several = len({result.cell.protocol for result in results}) > 1
    if all(result.predictions is not None for result in results):
        found = points(results)
        found["what"] = found["embedder"] + " " + found["what"] + (", " + found["protocol"] if several else "")
        found = found[["what", "shuffle", "value", "predicted"]]
        ends = [float(found["value"].min()), float(found["value"].max())]
        diagonal = alt.Chart(pd.DataFrame({"value": ends, "predicted": ends})).mark_line(
            color="#999", strokeDash=[4, 3]
        )
        dots = (
            alt.Chart()
            .mark_circle(size=30, opacity=0.6)
            .encode(
                x=alt.X("value:Q", title="held-out number"),
                y=alt.Y("predicted:Q", title="decoded value"),
                color=alt.Color("shuffle:N"),
                tooltip=["value", "predicted", "shuffle"],
            )
        )
        layers = alt.layer(diagonal.encode(x="value:Q", y="predicted:Q"), dots, data=found)
        return layers.properties(width=260, height=260).facet(alt.Facet("what:N", title=None, sort=None), columns=3)
    scores = pd.DataFrame(
        {
            "embedder": result.cell.embedder,
            "what": _measured(result) + (f", {result.cell.protocol}" if several else ""),
            "shuffle": seed,
            "score": score,
        }
        for result in results
        for seed, score in enumerate(result.scores)
    )
    dots = alt.Chart(scores).mark_circle(size=60, opacity=0.7)
    return (
        dots.encode(
            x=alt.X("score:Q").scale(zero=False), y=alt.Y("embedder:N", sort=None), tooltip=list(scores.columns)
        )
        .properties(width=300)
        .facet("what:N", columns=2)
        .resolve_scale(x="independent")
    )


def points(results: Sequence[Result], shuffles: int | None = None) -> "pd.DataFrame":
    """One row per prediction of a held-out number, and whether it lies inside of the training range."""
    import pandas as pd

    frames = []
    for result in results:
        cell, inside = result.cell, result.cell.numbers.values()
        for seed, row in enumerate((result.predictions or [])[:shuffles]):
            numbers = result.held_out(seed)
            if len(numbers) != len(row):
                raise NumprobeError(f"the result {cell.hash} has {len(row)} predictions for {len(numbers)} numbers")
            frame = pd.DataFrame({"value": numbers, "predicted": row})
            frame["inside"] = frame["value"].between(inside[0], inside[-1])
            frames.append(frame.assign(embedder=cell.embedder, what=bracketed(cell), protocol=cell.protocol))
            frames[-1]["shuffle"] = seed
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def by_layer(results: Sequence[Result]) -> Any:
    """The score of every layer of the sweeps among some results, or None."""
    import pandas as pd

    alt = altair()
    scores = pd.DataFrame(
        {
            "embedder": Spec.parse(result.cell.embedder).name,
            "what": _measured(result),
            "protocol": result.cell.protocol,
            "layer": number,
            "shuffle": seed,
            "score": score,
        }
        for result in results
        for number, layer in enumerate(result.layers)
        for seed, score in enumerate(layer)
    )
    if scores.empty:
        return None
    base = alt.Chart(scores).encode(x=alt.X("layer:Q", title="layer (0: input embeddings)"), color="embedder:N")
    title = "mean and deviation over shuffles"
    line = base.mark_line(point=True).encode(
        y=alt.Y("mean(score):Q", title=title).scale(zero=False), tooltip=["layer", "mean(score)"]
    )
    band = base.mark_errorband(extent="stdev", opacity=0.2).encode(y=alt.Y("score:Q", title=title).scale(zero=False))
    layered = alt.layer(band, line).properties(width=480, height=280)
    panels = layered.facet(alt.Facet("what:N", title=None), columns=2).resolve_scale(y="independent")
    return one_protocol(panels, scores)


def one_protocol(chart: Any, found: "pd.DataFrame") -> Any:
    """Where there are several protocols, one at a time, with a choice below the chart."""
    alt = altair()
    protocols = sorted(set(found["protocol"]))
    if len(protocols) == 1:
        return chart
    chosen = alt.param(name="protocol", bind=alt.binding_radio(options=protocols, name="protocol "), value=protocols[0])
    return chart.add_params(chosen).transform_filter("!isValid(datum.protocol) || datum.protocol == protocol")


def _measured(result: Result) -> str:
    return f"{result.cell.task} {bracketed(result.cell)} ({result.metric})"


def bracketed(cell: Cell) -> str:
    """The numbers of a cell, as the paper writes them.

    >>> bracketed(Cell.make("value", "decoding", "0:50", "words"))
    '[0,50] in words'
    """
    words = " in words" if cell.form == "words" else ""
    return f"[{cell.range.replace(':', ',')}]{words}"


def inspection_chart(inspection: Inspection) -> Any:
    """The vectors in the two directions of largest variance, coloured by value."""
    import pandas as pd

    alt = altair()
    points = pd.DataFrame(inspection.projection, columns=["number", "value", "first", "second"])
    return (
        alt.Chart(points, title=f"{inspection.embedder} [{inspection.range.replace(':', ',')}]")
        .mark_circle(size=30, opacity=0.7)
        .encode(
            x=alt.X("first:Q", title="first principal direction"),
            y=alt.Y("second:Q", title="second principal direction"),
            color=alt.Color("value:Q").scale(scheme="viridis"),
            tooltip=["number"],
        )
        .properties(width=420, height=420)
    )
