"""Charts of results, with Vega-Altair: interactive in a notebook, and saved as HTML, SVG, PNG or PDF."""

from collections.abc import Sequence
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.experiments import Result


def chart(results: Sequence[Result]) -> Any:
    """Decoding: predictions of held-out numbers against their values. Other tasks: the score of each shuffle."""
    try:
        import altair as alt
    except ImportError:
        raise NumprobeError("plots need altair: pip install 'numprobe[plot]'") from None
    import pandas as pd

    if all(result.predictions is not None for result in results):
        points = pd.DataFrame(
            {"what": _what(result), "shuffle": seed, "value": value, "predicted": predicted}
            for result in results
            for seed, row in enumerate(result.predictions or [])
            for value, predicted in zip(result.cell.held_out(seed).tolist(), row, strict=True)
        )
        ends = [float(points["value"].min()), float(points["value"].max())]
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
        layers = alt.layer(diagonal.encode(x="value:Q", y="predicted:Q"), dots, data=points)
        return layers.properties(width=260, height=260).facet(alt.Facet("what:N", title=None, sort=None), columns=3)
    scores = pd.DataFrame(
        {
            "embedder": result.cell.embedder,
            "what": f"{result.cell.task} [{result.cell.range}] ({result.metric})",
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


def _what(result: Result) -> str:
    return f"{result.cell.embedder} [{result.cell.range.replace(':', ',')}]"
