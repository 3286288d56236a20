"""The matrix of transfer: a row per way of writing to learn from, a column per way to test on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import pandas as pd

from numprobe.analysis.statistics import interval
from numprobe.experiments import Result
from numprobe.experiments.transfer import Manner
from numprobe.reports.contents import document, record
from numprobe.reports.tables import Heading, Table

Matrix = Mapping[tuple[Manner, Manner], Result]


def between_manners(results: Sequence[Result]) -> Any:
    """Probes that learned from one way of writing numbers (rows) and were tested on held-out numbers in another
    (columns). Values are judged by their rank correlation with the truth, which guessing has at 0: it tells whether
    the order carries over, also where all answers are off by the same amount.
    """
    found = matrices(results)
    return transfer_chart(found) if found else None


def matrices(results: Sequence[Result]) -> dict[str, Matrix]:
    """All results that tell of transfer, a matrix per embedder and numbers, with a metric of the first."""
    alike: dict[str, dict[tuple[Manner, Manner], Result]] = defaultdict(dict)
    for result in (one for one in results if not (one.cell.test_range or one.layers)):
        cell = result.cell
        learned = Manner(cell.form, cell.template)
        tested = Manner(cell.test_form or cell.form, cell.template_of_test)
        name = f"{cell.embedder}: {cell.task} on {cell.parts.numbers.label} ({cell.probe}, {cell.seeds} shuffles)"
        alike[name][learned, tested] = result
    made: dict[str, Matrix] = {}
    metric = ""
    for name, found in alike.items():
        crossed = {manner for pair in found if pair[0] != pair[1] for manner in pair}
        if not crossed:
            continue
        own = next(iter(found.values())).cell.parts.metric
        metric = metric or own.in_order or own.name
        if metric not in (own.in_order, own.name):
            continue
        made[name] = {
            pair: result.rescored(metric)
            for pair, result in sorted(found.items(), key=lambda own: own[0])
            if crossed.issuperset(pair) and result.can_be(metric)
        }
    return {name: matrix for name, matrix in made.items() if matrix}


def transfer_table(matrix: Matrix) -> Table:
    """The scores of all pairs, each with the 95 % interval of its mean."""
    one = next(iter(matrix.values()))
    learned, tested = (list(dict.fromkeys(pair[place] for pair in matrix)) for place in (0, 1))
    return Table(
        f"{one.cell.embedder}: {one.cell.task} on {one.cell.parts.numbers.label} ({one.metric}, {one.cell.probe}), "
        f"trained on rows and tested on columns; {one.measure.direction}",
        headings=[Heading("trained on"), *(Heading(str(test), "tested on") for test in tested)],
        rows=[
            [str(learn), *(_entry(matrix[learn, test]) if (learn, test) in matrix else "" for test in tested)]
            for learn in learned
        ],
        records=[record(result, None) for result in matrix.values()],
        documents=[document(result) for result in matrix.values()],
    )


def _entry(result: Result) -> str:
    places = result.measure.decimals
    found = interval(result)
    between = f" ({found[0]:.{places}f} to {found[1]:.{places}f})" if found else ""
    return f"{result.mean:.{places}f}{between}"


def transfer_chart(matrices: Mapping[str, Matrix]) -> Any:
    """One square per pair, brighter where the score is better; a panel per embedder."""
    import numprobe.reports.charts  # noqa: F401, says which packages charts need

    alt = import_module("altair")
    one = next(iter(next(iter(matrices.values())).values()))
    found = pd.DataFrame(
        {
            "embedder": embedder,
            "trained on": str(learn),
            "tested on": str(test),
            "score": result.mean,
            "shown": f"{result.mean:.2f}",
        }
        for embedder, matrix in matrices.items()
        for (learn, test), result in matrix.items()
    )
    scale = alt.Scale(scheme="viridis", reverse=not one.measure.higher_is_better, domainMin=0, domainMax=1, clamp=True)
    order = list(dict.fromkeys(str(manner) for matrix in matrices.values() for pair in matrix for manner in pair))
    squares = alt.Chart().encode(
        x=alt.X("tested on:N", sort=order), y=alt.Y("trained on:N", sort=order), tooltip=list(found.columns)
    )
    is_bright = "datum.score > 0.6" if one.measure.higher_is_better else "datum.score < 0.6"
    panel = alt.layer(
        squares.mark_rect().encode(color=alt.Color("score:Q", scale=scale, title=one.metric)),
        squares.mark_text().encode(
            text="shown:N", color=alt.condition(is_bright, alt.value("black"), alt.value("white"))
        ),
        data=found,
    )
    in_lines = alt.Header(labelExpr="split(datum.label, ': ')")
    facet = alt.Facet("embedder:N", title=None, sort=list(matrices), header=in_lines)
    return panel.properties(width=220, height=220).facet(facet, columns=2)
