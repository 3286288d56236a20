"""Charts of results with Vega-Altair: interactive in a notebook, or saved as HTML, SVG, PNG or PDF."""

import json
from collections.abc import Sequence
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from numprobe.analysis.inspection import Inspection
from numprobe.errors import NumprobeError, one_of
from numprobe.experiments import Result
from numprobe.experiments.selection import Selection
from numprobe.files.writing import write_whole
from numprobe.numbers import Range
from numprobe.registry import Spec
from numprobe.reports.contents import heading
from numprobe.tasks import Answer

try:
    import altair as alt
    from vl_convert import javascript_bundle
except ImportError:
    raise NumprobeError("charts need altair and vl-convert-python: pip install 'numprobe[plot]'") from None

alt.data_transformers.disable_max_rows()

PANEL = 240
"""Width and height of a panel in pixels."""


class _ScriptEncoder(json.JSONEncoder):
    """JSON that is safe inside a script element: no name in it can close the element."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")


def chart_format(file: str) -> str:
    """The format that a file's name ends with; refuse one that charts don't have."""
    ending = Path(file).suffix
    one_of("chart format", ending, (".svg", ".png", ".pdf", ".html", ".json"))
    return ending


def save_chart(drawn: Any, file: str) -> None:
    """Write a chart in the format that the file name ends with."""
    ending = chart_format(file)
    written: BytesIO | StringIO = BytesIO() if ending in (".png", ".pdf") else StringIO()
    options: dict[str, Any] = {"inline": True, "json_kwds": {"cls": _ScriptEncoder}} if ending == ".html" else {}
    drawn.save(written, format=ending.removeprefix("."), **options)
    write_whole(Path(file), written.getvalue())


class Shown:
    """An Altair chart that shows in a notebook without a network; everything else is the chart's own."""

    def __init__(self, drawn: Any) -> None:
        self._drawn = drawn

    def __getattr__(self, name: str) -> Any:
        if name == "_drawn":
            raise AttributeError(name)
        return getattr(self._drawn, name)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """A picture. Altair itself would have the browser fetch its scripts."""
        picture = StringIO()
        self._drawn.save(picture, format="svg")
        return {"image/svg+xml": picture.getvalue()}


@cache
def vega_script() -> str:
    """Vega and Vega-Lite, in the version that the charts are written for."""
    return str(javascript_bundle("window.vegaEmbed = vegaEmbed", ".".join(alt.SCHEMA_VERSION.split(".")[:2])))


def chart(results: Sequence[Result]) -> Any:
    """Draw scores by layer for a sweep, predictions of held-out numbers for decoding, and else every score."""
    if any(result.layers for result in results):
        return by_layer(results)
    return _predicted(results) if all(map(is_decoded, results)) else _scores(results)


def _predicted(results: Sequence[Result]) -> Any:
    found = points(results)
    found["panel"] = found["embedder"] + ", " + found["panel"]
    found = found[["panel", "shuffle", "number", "truth", "predicted"]]
    return decoded(found, alt.Facet("panel:N", title=None, sort=None), alt.Color("shuffle:N"))


def decoded(found: pd.DataFrame, facet: Any, colour: Any) -> Any:
    """Draw decoded values against the true ones, panel by panel."""
    dots = (
        alt.Chart()
        .mark_circle(size=12, opacity=0.7)
        .encode(
            x=alt.X("truth:Q", title="true value"),
            y=alt.Y("predicted:Q", title="decoded value"),
            color=colour,
            tooltip=[name for name in found if name != "truth"],
        )
    )
    line = diagonal(alt.X("truth:Q"), alt.Y("predicted:Q"), found["truth"])
    return alt.layer(line, dots, data=found).properties(width=PANEL, height=PANEL).facet(facet, columns=3)


def _scores(results: Sequence[Result]) -> Any:
    scores = pd.DataFrame(
        {"embedder": result.cell.embedder, "panel": str(heading(result)), "shuffle": seed, "score": score}
        for result in results
        for seed, score in enumerate(result.scores)
    )
    return (
        alt.Chart(scores)
        .mark_circle(size=60, opacity=0.7)
        .encode(x=alt.X("score:Q").scale(zero=False), y=alt.Y("embedder:N", sort=None), tooltip=list(scores.columns))
        .properties(width=300)
        .facet(alt.Facet("panel:N", title=None), columns=2)
        .resolve_scale(x="independent")
    )


def by_layer(results: Sequence[Result]) -> Any:
    """Each layer of a model, probed on its own."""
    scores = pd.DataFrame(
        {
            "embedder": Spec.parse(result.cell.embedder).name,
            "panel": str(heading(result)),
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
    base = alt.Chart(scores).encode(
        x=alt.X("layer:Q", title="layer (0: input embeddings)").axis(tickMinStep=1), color="embedder:N"
    )
    title = "mean and deviation over shuffles"
    line = base.mark_line(point=True).encode(
        y=alt.Y("mean(score):Q", title=title).scale(zero=False), tooltip=["layer", "mean(score)"]
    )
    band = base.mark_errorband(extent="stdev", opacity=0.2).encode(y=alt.Y("score:Q", title=title).scale(zero=False))
    layered = alt.layer(band, line).properties(width=480, height=280)
    return layered.facet(alt.Facet("panel:N", title=None), columns=2).resolve_scale(y="independent")


def inspection_chart(inspection: Inspection) -> Any:
    """Draw the vectors along the two directions of largest variance, coloured by value."""
    found = pd.DataFrame(inspection.projection, columns=["number", "value", "first", "second"])
    return (
        alt.Chart(found, title=f"{inspection.embedder} {Range.parse(inspection.range).label}")
        .mark_circle(size=30, opacity=0.7)
        .encode(
            x=alt.X("first:Q", title="first principal direction"),
            y=alt.Y("second:Q", title="second principal direction"),
            color=alt.Color("value:Q").scale(scheme="viridis"),
            tooltip=["number"],
        )
        .properties(width=420, height=420)
    )


def is_decoded(result: Result) -> bool:
    """Whether a result holds a predicted value for each single number."""
    task = result.cell.parts.task
    return bool(result.predictions) and task.arity == 1 and task.answer is Answer.VALUE


def points(results: Sequence[Result], shuffles: int | None = None) -> pd.DataFrame:
    """One row per question about a held-out number: the number, the right answer, and the predicted one."""
    frames = []
    for result in results:
        cell, selection = result.cell, Selection(result.cell, tuple(result.missing))
        inside = cell.parts.numbers.values()
        for seed, row in enumerate((result.predictions or [])[:shuffles]):
            items = selection.items(seed, "test")
            if len(items.targets) != len(row):
                raise NumprobeError(f"result {cell.hash} has {len(row)} predictions for {len(items.targets)} questions")
            numbers = selection.held_out(seed)[items.numbers[:, 0]]
            frame = pd.DataFrame({"number": numbers, "truth": items.targets, "predicted": row})
            frame["inside"] = frame["number"].between(inside[0], inside[-1])
            frames.append(frame.assign(embedder=cell.embedder, panel=str(heading(result)), shuffle=seed))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def diagonal(x: Any, y: Any, values: "pd.Series[Any]") -> Any:
    """A dashed line from the smallest to the largest of some values, the same on both axes."""
    names = [axis.shorthand.partition(":")[0] for axis in (x, y)]
    data = pd.DataFrame({name: [values.min(), values.max()] for name in names})
    return alt.Chart(data).mark_line(color="#999", strokeDash=[4, 3]).encode(x=x, y=y)
