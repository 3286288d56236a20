"""Every layer of a model, every family of probes, and what the text alone gives away: one table and one picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numprobe.analysis.shapes import Explained
from numprobe.embedders.strings import SIGNED_STRINGS
from numprobe.experiments import Result
from numprobe.metrics import METRICS
from numprobe.probes import families
from numprobe.registry import Spec
from numprobe.reports.tables import Heading, Table

SHOWN = ("exact", "normalised-error", "kappa")
"""The metrics that are shown where they are known, in this order."""

TITLES = ("exactly right", "error ÷ guessing", "κ")

STATES = "R² of states"

FONTS_DIFFER = 60
"""Pixels to the right of a legend, whose letters may be wider where the picture is shown."""

FEWEST = 3
"""Fewer families of one model make no picture of families."""


@dataclass(frozen=True)
class Sweep:
    """What families of probes find in the layers of a model, and in strings."""

    model: str
    results: Sequence[Result]
    """The model's, one per family."""
    baselines: Sequence[Result]
    explained: Sequence[Explained]
    """For each layer, how much each shape explains."""

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Row, metric, family and mean score. The rows are layers, then baselines."""
        for result in (*self.results, *self.baselines):
            spec = Spec.parse(result.cell.embedder)
            for metric in SHOWN:
                for layer, scores in enumerate(_by_layer(result, metric)):
                    row = f"layer {layer}" if result.layers else spec.name
                    yield row, metric, family(result), float(np.mean(scores))
        for layer, own in enumerate(self.explained):
            row = f"layer {layer}" if len(self.explained) > 1 else Spec.parse(self.model).name
            for shape, share in own.states_r2.items():
                yield row, STATES, shape, share

    def documents(self) -> dict[str, Any]:
        """What JSON holds: metric -> family -> score, for each row."""
        rows: dict[str, dict[str, Any]] = {}
        for row, metric, column, score in self.rows():
            rows.setdefault(row, {"row": row}).setdefault(metric, {})[column] = score
        for document, own in zip(rows.values(), self.explained, strict=False):
            document["shape"] = own.shape
        first = self.results[0].cell
        about = {"model": self.model, "range": first.range, "seeds": first.seeds}
        return {**about, "rows": list(rows.values())}

    def table(self) -> Table:
        found: dict[str, dict[Heading, float]] = {}
        titles = dict(zip(SHOWN, TITLES, strict=True))
        for row, metric, column, score in self.rows():
            found.setdefault(row, {})[Heading(column, titles.get(metric, metric))] = score
        order = [*TITLES, STATES]
        every = dict.fromkeys(heading for row in found.values() for heading in row)
        headings = [heading for group in order for heading in every if heading.group == group]
        shapes = {row: own.shape for row, own in zip(found, self.explained, strict=False)}
        cell = self.results[0].cell
        return Table(
            f"{self.model}, {cell.where}, mean over {cell.seeds} shuffles",
            [Heading("row"), *headings, Heading("shape", STATES)],
            [
                [row, *(f"{scores[one]:.3f}" if one in scores else "" for one in headings), shapes.get(row, "")]
                for row, scores in found.items()
            ],
            documents=[self.documents()],
            records=[
                {"row": row, "metric": metric, "family": own, "mean": score} for row, metric, own, score in self.rows()
            ],
            notes=[
                "residue: the remainder after division by 10; κ is 1 if every remainder is right and 0 by chance",
                "shape: what explains most of held-out vectors, the simplest of equals",
            ],
        )

    def chart(self) -> Any:
        """A panel per metric: numbers above, and below them residues and shapes, in colours of their own."""
        import altair as alt

        title = f"{self.model}; dashed: the best string baseline"
        *about_numbers, about_residues = TITLES
        groups = [[*self.panels(about_numbers)], [*self.panels((about_residues, STATES))]]
        rows = (alt.hconcat(*group).resolve_scale(color="shared") for group in groups if group)
        drawn = alt.vconcat(*rows, title=title).resolve_scale(color="independent").configure_legend(labelLimit=0)
        return drawn.properties(padding={"left": 5, "top": 5, "bottom": 5, "right": FONTS_DIFFER})

    def panels(self, wanted: Sequence[str]) -> Iterator[Any]:
        """A panel per metric: a line per family over the layers, and the best string baseline as a dashed line."""
        import altair as alt
        import pandas as pd

        titles = dict(zip(SHOWN, TITLES, strict=True))
        rows = pd.DataFrame(self.rows(), columns=["row", "metric", "family", "score"])
        rows["metric"] = rows["metric"].map(lambda metric: titles.get(metric, metric))
        layers = rows[rows["row"].str.startswith("layer ")].copy()
        is_swept = not layers.empty
        names = {Spec.parse(result.cell.embedder).name for result in self.baselines}
        floors = rows[rows["row"].isin(names)]
        if is_swept:
            layers["layer"] = layers["row"].str.removeprefix("layer ").astype(int)
            x = alt.X("layer:Q", title="layer (0: input embeddings)")
        else:
            layers = rows[~rows["row"].isin(names)]
            x = alt.X("family:N", title=None)
        colour = alt.Color("family:N", title=None)
        for metric in filter(wanted.__contains__, layers["metric"].unique()):
            lowest = METRICS.build(SHOWN[TITLES.index(metric)]).higher_is_better if metric in TITLES else True
            own, strings = layers[layers["metric"] == metric], floors[floors["metric"] == metric]
            y = alt.Y("score:Q", title=metric)
            base = alt.Chart(own).encode(x=x, y=y, color=colour, tooltip=["row", "family", "score"])
            drawn = base.mark_line(point=True) if is_swept else base.mark_circle(size=60)
            if not strings.empty:
                best = strings.groupby("family", as_index=False)["score"].agg("max" if lowest else "min")
                drawn = alt.layer(drawn, alt.Chart(best).mark_rule(strokeDash=[4, 3]).encode(y=y, color=colour))
            yield drawn.properties(width=420, height=260)


def family(result: Result) -> str:
    """What a result's column is called: its probe, and the task where it asks for something else than the number."""
    cell = result.cell
    return cell.probe if cell.parts.task.asks_for_number else cell.task


def _by_layer(result: Result, metric: str) -> list[list[float]]:
    """The scores of each layer in a metric; empty where they are not known."""
    if METRICS.build(metric).answer is not result.cell.parts.task.answer:
        return []
    if result.layers:
        return result.layers if metric == result.metric else result.more_by_layer.get(metric, [])
    return [result.rescored(metric).scores] if result.can_be(metric) else []


def by_family(results: Sequence[Result]) -> Any:
    """What each family of probes finds in the layers of a model. Dashed: the best string baseline."""
    groups: dict[tuple[str, str, int], list[Result]] = {}
    for result in results:
        cell = result.cell
        if cell.parts.task.asks_for_number and cell.probe in families() and _by_layer(result, SHOWN[0]):
            groups.setdefault((cell.embedder, cell.where, cell.seeds), []).append(result)
    sweeps = [
        Sweep(name, own, [one for string in SIGNED_STRINGS for one in groups.get((string, where, seeds), [])], [])
        for (name, where, seeds), own in groups.items()
        if len(own) >= FEWEST and name not in SIGNED_STRINGS
    ]
    if not sweeps:
        return None
    import altair as alt

    panels = (panel.properties(title=sweep.model) for sweep in sweeps for panel in sweep.panels(TITLES))
    return alt.concat(*panels, columns=2).resolve_scale(color="shared")
