"""The pictures of the page, most of them drawn here."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from numprobe.analysis.paper import beside
from numprobe.analysis.weber import compared, is_comparison, weber_fractions, weber_interval
from numprobe.experiments import Result
from numprobe.metrics import METRICS
from numprobe.reports.charts import PANEL, by_layer, decoded, diagonal, is_decoded, points
from numprobe.reports.contents import heading
from numprobe.reports.layers import by_family
from numprobe.reports.transfer import between_manners

WIDE = 340
"""Width of a wide panel in pixels."""

POINTS = 300
"""How many predictions a panel shows in one colour at most; more would lie on top of each other."""

BINS = 10
"""How many parts of equal width a range is cut into, to tell errors of small numbers from those of large ones."""

PLACES = ("held out of the training range", "outside the training range")

FAINT = 0.12

COLOURS = (
    "#4c78a8", "#e4812b", "#3f9b5a", "#d0485a", "#8f6bb3", "#9c6b4e", "#e08ac0",
    "#7f868e", "#b3a02c", "#2aa5b5", "#86b63a", "#5a62d6", "#b5532a", "#a83a86",
)  # fmt: skip
"""One per embedder, legible on white and on black."""
COLOUR = alt.Color("embedder:N", sort=None).scale(range=COLOURS)


class Picture(NamedTuple):
    title: str
    draw: Callable[[Sequence[Result]], Any]
    """Results -> Altair chart, or None if the results hold nothing for it. Its docstring is the caption."""

    @property
    def about(self) -> str:
        return " ".join((self.draw.__doc__ or "").split())


def predictions(results: Sequence[Result]) -> Any:
    """Decoded values of one shuffle. Inside the training range, only held-out numbers are shown."""
    # This is the paper's Figure 1.
    further = [result for result in _decoded(results) if result.cell.test_range]
    if not further:
        return None
    widest = heading(max(further, key=lambda result: result.coverage["asked"]))
    alike = [result for result in further if heading(result) == widest]
    found = points(alike, shuffles=1)
    found["place"] = np.where(found["inside"], *PLACES)
    found = _thinned(found[["embedder", "place", "number", "truth", "predicted"]])
    colour = alt.Color("place:N", title=None).legend(orient="top").scale(domain=PLACES, range=COLOURS[:2])
    facet = alt.Facet("embedder:N", title=None, sort=[result.cell.embedder for result in alike])
    # A shared axis would stand below empty places in a last row that is not full.
    return decoded(found, facet, colour).resolve_axis(x="independent")


def error_by_magnitude(results: Sequence[Result]) -> Any:
    """The error of decoding held-out numbers against their value, on the largest range of each form."""
    found = points(_largest(results))
    if found.empty:
        return None
    low, high = (found.groupby("panel")["number"].transform(end) for end in ("min", "max"))
    part = ((found["number"] - low) / (high - low) * BINS).clip(upper=BINS - 1).astype(int)
    found["number"] = low + (part + 0.5) * (high - low) / BINS
    return _lines(found, "number:Q", "held-out number")


def error_by_pieces(results: Sequence[Result]) -> Any:
    """The error of decoding held-out numbers against how many pieces the tokenizer cuts them into."""
    frames = []
    for result in (result for result in _largest(results) if result.pieces):
        found = points([result])
        frames.append(found.assign(pieces=found["number"].map(result.pieces_of())))
    if not frames:
        return None
    return _lines(pd.concat(frames), "pieces:O", "word pieces of the number")


def ours_against_the_paper(results: Sequence[Result]) -> Any:
    """One point per cell that the paper reports. On the line, both agree. A better accuracy lies above it,
    a better error below.
    """
    found = pd.DataFrame(
        {
            "embedder": result.cell.embedder,
            "task": result.cell.task,
            "numbers": result.cell.where,
            "metric": result.metric,
            "paper": paper.mean,
            "ours": result.mean,
        }
        for result in results
        if (paper := beside(result)) is not None
    )
    if found.empty:
        return None
    picked = alt.selection_point(fields=["embedder"], bind="legend")
    panels: list[Any] = []
    for metric in dict.fromkeys(found["metric"]):
        own = found[found["metric"] == metric]
        scale = alt.Scale(type="log") if METRICS.build(metric).axis == "log" else alt.Scale(zero=False)
        x = alt.X("paper:Q", title=f"the paper's {metric}", scale=scale).axis(tickCount=5)
        y = alt.Y("ours:Q", title=f"our {metric}", scale=scale).axis(tickCount=5)
        dots = (
            alt.Chart()
            .mark_point(filled=True, size=70)
            .encode(
                x=x,
                y=y,
                color=COLOUR,
                shape=alt.Shape("task:N", sort=None),
                opacity=alt.condition(picked, alt.value(0.85), alt.value(FAINT)),
                tooltip=["embedder", "task", "numbers", "paper", "ours"],
            )
            .transform_filter(alt.datum.metric == metric)
        )
        if not panels:  # one panel holds the selection, and all of them follow it
            dots = dots.add_params(picked)
        line = diagonal(x, y, pd.concat([own["paper"], own["ours"]]))
        panels.append((line + dots).properties(width=WIDE, height=WIDE))
    return alt.concat(*panels, data=found, columns=2).resolve_scale(shape="shared", color="shared")


def accuracy_by_ratio(results: Sequence[Result]) -> Any:
    """How often the larger of two numbers is found, against their ratio. w is the Weber fraction: how blurred numbers
    are, relative to their size; in brackets its 95 % interval.
    """
    frames = []
    for result in _surest(filter(is_comparison, results), lambda result: result.cell.where):
        numbers, right = (np.concatenate(own) for own in zip(*compared(result), strict=True))
        sizes = np.sort(np.maximum(np.abs(numbers), 1), axis=1)
        found = pd.DataFrame({"ratio": sizes[:, 1] / sizes[:, 0], "right": right})
        frames.append(found.assign(embedder=_with_fraction(result), panel=result.cell.where))
    if not frames:
        return None
    found = pd.concat(frames)
    found = found[found["ratio"] > 1]
    more = 100 * (found["ratio"] - 1)
    edges = np.geomspace(max(0.5, float(np.quantile(more, 0.01))), max(100.0, float(more.max())), BINS + 1)
    place = np.clip(np.digitize(more, edges) - 1, 0, BINS - 1)
    found["more"] = np.sqrt(edges[1:] * edges[:-1])[place]
    shares = found.groupby(["panel", "embedder", "more"], sort=False)["right"].agg(["mean", "size"]).reset_index()
    shares = shares.rename(columns={"mean": "accuracy", "size": "pairs"})
    picked = alt.selection_point(fields=["embedder"], bind="legend")
    return (
        alt.Chart(shares)
        .mark_line(point=True)
        .encode(
            x=alt.X("more:Q", title="by how many percent one is larger").scale(type="log", nice=False),
            y=alt.Y("accuracy:Q").scale(domain=[0.4, 1], clamp=True),
            color=COLOUR.legend(labelLimit=2 * WIDE, symbolLimit=0),
            opacity=alt.condition(picked, alt.value(0.9), alt.value(FAINT)),
            tooltip=["embedder", alt.Tooltip("more:Q", format=".2g"), alt.Tooltip("accuracy:Q", format=".3f"), "pairs"],
        )
        .add_params(picked)
        .properties(width=WIDE, height=PANEL)
        .facet(alt.Facet("panel:N", title=None, sort=None), columns=2)
    )


def _with_fraction(result: Result) -> str:
    fraction, between = np.exp(np.mean(np.log(weber_fractions(result)))), weber_interval(result)
    return f"{result.cell.embedder}, w = {fraction:.2g}" + (" ({:.2g} to {:.2g})".format(*between) if between else "")


PICTURES = {
    "predictions": Picture("Inside and outside the training range", predictions),
    "against-paper": Picture("Our scores against the paper's", ours_against_the_paper),
    "magnitude": Picture("Error by magnitude", error_by_magnitude),
    "layers": Picture("Score by layer", by_layer),
    "families": Picture("Families of probes, layer by layer", by_family),
    "pieces": Picture("Error by word pieces", error_by_pieces),
    "ratio": Picture("Which is larger, by ratio", accuracy_by_ratio),
    "transfer": Picture("From one way of writing to another", between_manners),
}
"""The pictures by the names that `numprobe plot` takes."""


def _thinned(found: pd.DataFrame) -> pd.DataFrame:
    """Keep every n-th number of one colour in one panel."""
    found = found.sort_values("number", kind="stable")
    alike = found.groupby(["embedder", "place"])["number"]
    stride = -(-alike.transform("size") // POINTS)
    return found[alike.cumcount() % stride == 0]


def _decoded(results: Sequence[Result]) -> list[Result]:
    """Return what the tasks' own probes decoded."""
    own = (result for result in results if is_decoded(result) and result.cell.uses_default_probe and not result.layers)
    return _surest(own, heading)


def _surest(results: Iterable[Result], about: Callable[[Result], object]) -> list[Result]:
    """Of an embedder's results about the same, the one with the most shuffles."""
    found: dict[tuple[str, object], Result] = {}
    for result in results:
        key = (result.cell.embedder, about(result))
        found[key] = max(found.get(key, result), result, key=lambda one: one.cell.seeds)
    return list(found.values())


def _largest(results: Sequence[Result]) -> list[Result]:
    """Return what was decoded on the largest range of each task and form."""
    decoded = [result for result in _decoded(results) if not result.cell.test_range]
    cells = sorted((result.cell for result in decoded), key=lambda cell: cell.parts.numbers.size)
    sizes = {(cell.task, cell.form): cell.parts.numbers.size for cell in cells}
    return [r for r in decoded if r.cell.parts.numbers.size == sizes[r.cell.task, r.cell.form]]


def _lines(found: pd.DataFrame, x: str, title: str) -> Any:
    """Draw the RMSE against x: a panel per task and range, a line per embedder. A click in the legend picks one."""
    keys = ["panel", "embedder", x.partition(":")[0]]
    squares = found.assign(square=(found["predicted"] - found["truth"]) ** 2).groupby(keys, sort=False)["square"]
    errors = squares.agg(["mean", "size"]).reset_index().rename(columns={"size": "predictions"})
    errors["error"] = np.sqrt(errors.pop("mean"))
    picked = alt.selection_point(fields=["embedder"], bind="legend")
    return (
        alt.Chart(errors)
        .mark_line(point=True)
        .encode(
            x=alt.X(x, title=title).axis(labelAngle=0, tickCount=5),
            y=alt.Y("error:Q", title="RMSE").scale(type="log", nice=False, padding=10),
            color=COLOUR,
            opacity=alt.condition(picked, alt.value(0.9), alt.value(FAINT)),
            tooltip=["embedder", x, alt.Tooltip("error:Q", title="RMSE", format=".3g"), "predictions"],
        )
        .add_params(picked)
        .properties(width=WIDE, height=PANEL)
        .facet(alt.Facet("panel:N", title=None, sort=None), columns=2)
        .resolve_scale(x="independent", y="independent")
    )
