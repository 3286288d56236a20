"""The pictures: predictions, error against magnitude, scores by layer and by word pieces, ours against the paper's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from numprobe.analysis.paper import beside
from numprobe.experiments import Result
from numprobe.reports.plots import altair, bracketed, by_layer, one_protocol, points

if TYPE_CHECKING:
    import pandas as pd

PANEL, WIDE = 240, 340
"""Pixels."""

POINTS = 300
"""Most predictions of one colour in a panel of the prediction figure; more lie on top of each other."""

BINS = 10
"""Parts of equal width into which a range is cut to tell errors of small numbers from those of large ones."""

WHERE = ("held out of the training range", "outside of it")

FAINT = 0.12

COLOURS = (
    "#4c78a8", "#e4812b", "#3f9b5a", "#d0485a", "#8f6bb3", "#9c6b4e", "#e08ac0",
    "#7f868e", "#b3a02c", "#2aa5b5", "#86b63a", "#5a62d6", "#b5532a", "#a83a86",
)  # fmt: skip
"""Of the embedders; each is legible on white and on black."""


@dataclass(frozen=True)
class Picture:
    title: str
    about: str
    draw: Callable[[Sequence[Result]], Any]
    """Results -> Altair chart, or None where the results have nothing for it."""


def predictions(results: Sequence[Result]) -> Any:
    """The paper's figure: what a probe that was trained on one range says of numbers inside and outside of it."""
    further = [result for result in _decoded(results) if result.cell.test_range]
    if not further:
        return None
    widest = max(further, key=lambda result: result.coverage["asked"]).cell
    alike = [r for r in further if (r.cell.range, r.cell.test_range) == (widest.range, widest.test_range)]
    found = points(alike, shuffles=1)
    found["number"] = np.where(found["inside"], *WHERE)
    found = _thinned(found[["embedder", "protocol", "number", "value", "predicted"]])
    alt = altair()
    ends = [float(found["value"].min()), float(found["value"].max())]
    line = _diagonal(alt, alt.X("value:Q"), alt.Y("predicted:Q"), ends)
    dots = (
        alt.Chart()
        .mark_circle(size=12, opacity=0.7)
        .encode(
            x=alt.X("value:Q", title="number"),
            y=alt.Y("predicted:Q", title="decoded value"),
            color=alt.Color("number:N", title=None).legend(orient="top").scale(domain=WHERE, range=COLOURS[:2]),
            tooltip=["embedder", "value", "predicted", "number"],
        )
    )
    panels = alt.layer(line, dots, data=found).properties(width=PANEL, height=PANEL)
    panel = alt.Facet("embedder:N", title=None, sort=list(dict.fromkeys(r.cell.embedder for r in alike)))
    # Axes that are shared would stand below a place without a panel where the last row is not full.
    grid = panels.facet(panel, columns=3).resolve_axis(x="independent")
    return one_protocol(grid, found)


def error_by_magnitude(results: Sequence[Result]) -> Any:
    """The error of held-out numbers against their size, on the largest range of each form."""
    found = points(_largest(results))
    if found.empty:
        return None
    low, high = (found.groupby("what")["value"].transform(end) for end in ("min", "max"))
    part = ((found["value"] - low) / (high - low) * BINS).clip(upper=BINS - 1).astype(int)
    found["number"] = low + (part + 0.5) * (high - low) / BINS
    return _lines(found, "number:Q", "held-out number")


def error_by_pieces(results: Sequence[Result]) -> Any:
    """The error of held-out numbers by how many word pieces the embedder's tokenizer makes of each."""
    import pandas as pd

    frames = []
    for result in (result for result in _largest(results) if result.pieces):
        found = points([result])
        frames.append(found.assign(pieces=found["value"].map(result.pieces_of())))
    if not frames:
        return None
    return _lines(pd.concat(frames), "pieces:O", "word pieces of the number")


def ours_against_the_paper(results: Sequence[Result]) -> Any:
    """Every cell that the paper reports: on the line both agree."""
    import pandas as pd

    found = pd.DataFrame(
        {
            "embedder": result.cell.embedder,
            "task": result.cell.task,
            "numbers": bracketed(result.cell),
            "protocol": result.cell.protocol,
            "metric": result.metric,
            "paper": paper.mean,
            "ours": result.mean,
        }
        for result in results
        if (paper := beside(result)) is not None
    )
    if found.empty:
        return None
    alt = altair()
    picked = alt.selection_point(fields=["embedder"], bind="legend")
    panels: list[Any] = []
    for metric, scale in (("rmse", alt.Scale(type="log")), ("accuracy", alt.Scale(zero=False))):
        own = found[found["metric"] == metric]
        if own.empty:
            continue
        ends = [float(own[["paper", "ours"]].min().min()), float(own[["paper", "ours"]].max().max())]
        x = alt.X("paper:Q", title=f"the paper's {metric}", scale=scale).axis(tickCount=5)
        y = alt.Y("ours:Q", title=f"our {metric}", scale=scale).axis(tickCount=5)
        dots = (
            alt.Chart()
            .mark_point(filled=True, size=70)
            .encode(
                x=x,
                y=y,
                color=_colour(alt),
                shape=alt.Shape("task:N", sort=None),
                opacity=alt.condition(picked, alt.value(0.85), alt.value(FAINT)),
                tooltip=["embedder", "task", "numbers", "protocol", "paper", "ours"],
            )
            .transform_filter(alt.datum.metric == metric)
        )
        if not panels:  # one panel holds the selection, and all of them follow it
            dots = dots.add_params(picked)
        panels.append((_diagonal(alt, x, y, ends) + dots).properties(width=WIDE, height=WIDE))
    both = alt.concat(*panels, data=found, columns=2).resolve_scale(shape="shared", color="shared")
    return one_protocol(both, found)


PICTURES = {
    "predictions": Picture(
        "Inside and outside of the training range",
        "Decoded values of one shuffle. Inside of the training range only held-out numbers are shown.",
        predictions,
    ),
    "against-paper": Picture(
        "Ours against the paper's",
        "One point per cell that the paper reports; on the line both agree. Below it, our error is smaller (RMSE).",
        ours_against_the_paper,
    ),
    "magnitude": Picture(
        "Error against magnitude",
        "Decoding: the error of held-out numbers by their value, on the largest range of each form.",
        error_by_magnitude,
    ),
    "layers": Picture("Score by layer", "Every layer of a model probed on its own.", by_layer),
    "pieces": Picture(
        "Error by word pieces",
        "Decoding: the error of held-out numbers by how many pieces the tokenizer cuts them into.",
        error_by_pieces,
    ),
}
"""By the name that `numprobe plot` takes."""


def _thinned(found: "pd.DataFrame") -> "pd.DataFrame":
    """Every n-th number of what is drawn in one colour in one panel."""
    found = found.sort_values("value", kind="stable")
    alike = found.groupby(["embedder", "protocol", "number"])["value"]
    stride = -(-alike.transform("size") // POINTS)
    return found[alike.cumcount() % stride == 0]


def _decoded(results: Sequence[Result]) -> list[Result]:
    """What the paper's probe decoded; of results that differ in the number of shuffles, the one with the most."""
    found: dict[tuple[str, ...], Result] = {}
    for result in results:
        cell = result.cell
        key = (cell.embedder, cell.range, cell.form, cell.test_range, cell.protocol)
        if result.predictions and cell.probe != "linear" and not result.layers:
            found[key] = max(found.get(key, result), result, key=lambda one: one.cell.seeds)
    return list(found.values())


def _largest(results: Sequence[Result]) -> list[Result]:
    """What was decoded on the largest range of each form."""
    decoded = [result for result in _decoded(results) if not result.cell.test_range]
    size: dict[str, int] = {}
    for result in decoded:
        size[result.cell.form] = max(size.get(result.cell.form, 0), result.cell.numbers.size)
    return [result for result in decoded if result.cell.numbers.size == size[result.cell.form]]


def _lines(found: "pd.DataFrame", x: str, title: str) -> Any:
    """The RMSE by x: a panel for each range, a line for each embedder; a click in the legend leaves one."""
    keys = ["what", "embedder", "protocol", x.partition(":")[0]]
    squares = found.assign(square=(found["predicted"] - found["value"]) ** 2).groupby(keys, sort=False)["square"]
    errors = squares.agg(["mean", "size"]).reset_index().rename(columns={"size": "predictions"})
    errors["rmse"] = np.sqrt(errors.pop("mean"))
    alt = altair()
    picked = alt.selection_point(fields=["embedder"], bind="legend")
    lines = (
        alt.Chart(errors)
        .mark_line(point=True)
        .encode(
            x=alt.X(x, title=title).axis(labelAngle=0, tickCount=5),
            y=alt.Y("rmse:Q", title="RMSE").scale(type="log", nice=False, padding=10),
            color=_colour(alt),
            opacity=alt.condition(picked, alt.value(0.9), alt.value(FAINT)),
            tooltip=["embedder", x, alt.Tooltip("rmse:Q", format=".3g"), "predictions"],
        )
        .add_params(picked)
        .properties(width=WIDE, height=PANEL)
        .facet(alt.Facet("what:N", title=None, sort=None), columns=2)
        .resolve_scale(x="independent", y="independent")
    )
    return one_protocol(lines, errors)


def _colour(alt: Any) -> Any:
    return alt.Color("embedder:N", sort=None).scale(range=COLOURS)


def _diagonal(alt: Any, x: Any, y: Any, ends: list[float]) -> Any:
    import pandas as pd

    names = [axis.shorthand.partition(":")[0] for axis in (x, y)]
    data = pd.DataFrame(dict.fromkeys(names, ends))
    return alt.Chart(data).mark_line(color="#999", strokeDash=[4, 3]).encode(x=x, y=y)
