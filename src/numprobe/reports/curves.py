"""Learning curves as a table and a picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from numprobe.analysis.description import DescriptionLength
from numprobe.experiments import Cell
from numprobe.metrics import Metric
from numprobe.reports.tables import Heading, Table


@dataclass(frozen=True)
class Curve:
    """The scores of a cell's probe after it has learned from so many numbers, and the length of its code."""

    cell: Cell
    metric: Metric
    points: dict[int, list[float]]
    """Numbers to learn from -> a score per shuffle."""
    length: DescriptionLength

    def as_dict(self) -> dict[str, Any]:
        return {
            "embedder": self.cell.embedder,
            "probe": self.cell.probe,
            "range": self.cell.range,
            "metric": self.metric.name,
            "scores": {str(count): scores for count, scores in self.points.items()},
            "bits_per_number": self.length.bits_per_number,
            "uniform_bits_per_number": self.length.uniform / self.length.numbers,
            "compression": self.length.compression,
        }


def curve_table(curves: Sequence[Curve]) -> Table:
    """A row per embedder and probe, a column per number of numbers."""
    counts = sorted({count for curve in curves for count in curve.points})
    metric, cell = curves[0].metric, curves[0].cell
    uniform = max(curve.length.uniform / curve.length.numbers for curve in curves)

    def shown(curve: Curve, count: int) -> str:
        return f"{np.mean(curve.points[count]):.{metric.decimals}f}" if count in curve.points else ""

    return Table(
        f"{metric.name} on {cell.where} by the number of training numbers, mean over {cell.seeds} shuffles",
        [
            *(Heading(name) for name in ("embedder", "probe")),
            *(Heading(str(count), "learned from") for count in counts),
            Heading("number", "bits per"),
        ],
        [
            [
                curve.cell.embedder,
                curve.cell.probe,
                *(shown(curve, count) for count in counts),
                f"{curve.length.bits_per_number:.2f}",
            ]
            for curve in curves
        ],
        records=[
            {"embedder": curve.cell.embedder, "probe": curve.cell.probe, "count": count, "mean": float(np.mean(scores))}
            for curve in curves
            for count, scores in curve.points.items()
        ],
        documents=[curve.as_dict() for curve in curves],
        notes=[f"bits per number: by online coding; the uniform code takes {uniform:.2f}", *needed(curves)],
        labels=2,
    )


def needed(curves: Sequence[Curve]) -> Iterator[str]:
    """For each two probes of an embedder: how many numbers the one needs to be as good as the other in the end."""
    for one, other in permutations(curves, 2):
        if one.cell.embedder != other.cell.embedder:
            continue
        most, metric = max(other.points), one.metric
        aim = float(np.mean(other.points[most]))
        sign = 1 if metric.higher_is_better else -1
        enough = (count for count, scores in sorted(one.points.items()) if sign * (np.mean(scores) - aim) >= 0)
        count = next(enough, None)
        told = f"more than {max(one.points)}" if count is None else str(count)
        yield (
            f"{one.cell.embedder}: {one.cell.probe} needs {told} numbers to match {other.cell.probe} "
            f"after {most} ({metric.name} {aim:.{metric.decimals}f})"
        )


def curve_chart(curves: Sequence[Curve]) -> Any:
    """A line per embedder and probe over the number of training numbers, both axes logarithmic where it suits."""
    import altair as alt
    import pandas as pd

    rows = pd.DataFrame(
        {"embedder": curve.cell.embedder, "probe": curve.cell.probe, "count": count, "score": score}
        for curve in curves
        for count, scores in curve.points.items()
        for score in scores
    )
    metric = curves[0].metric
    return (
        alt.Chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("count:Q", title="numbers to learn from").scale(type="log", nice=False),
            y=alt.Y("mean(score):Q", title=metric.name).scale(type=metric.axis),
            color="embedder:N",
            strokeDash="probe:N",
            tooltip=["embedder", "probe", "count", "mean(score)"],
        )
        .properties(width=480, height=320)
    )
