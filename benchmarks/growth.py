"""Measure how time grows with the range, the dimension, the probes in a bank and the workers, and draw a chart.

python benchmarks/growth.py docs/growth.svg
"""

import sys
import tempfile
from collections.abc import Iterator

import altair
import pandas as pd
from measuring import matmul_rate, record, seconds, suite_seconds

from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.kernels.device import one_thread

TASKS = ("list-maximum", "decoding", "addition")


def cell_seconds(task: str, high: int = 99, dimension: int = 300, seeds: int = 5) -> float:
    cell = Cell.make(f"random:dimension={dimension}", task, f"0:{high}", seeds=seeds)
    with one_thread():
        return seconds(lambda: run_cell(cell, device="cpu"))


def workers_seconds(workers: int) -> float:
    """Run six equal cells on this many workers."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"random:seed={seed}" for seed in range(6)]
        suite = f'[[cells]]\nembedder = {names}\ntask = "list-maximum"\nrange = "0:99"\n'
        return suite_seconds(suite, folder, "--workers", str(workers))


def measured() -> Iterator[tuple[str, str, float, float]]:
    for task in TASKS:
        for high in (99, 999, 9999):
            yield "numbers in the range", task, high + 1, cell_seconds(task, high=high)
        for dimension in (100, 300, 1000):
            yield "dimension", task, dimension, cell_seconds(task, dimension=dimension)
        for seeds in (1, 5, 20):
            yield "probes in the bank", task, seeds, cell_seconds(task, seeds=seeds)
    for workers in (1, 2):
        yield "workers (6 cells)", "list-maximum", workers, workers_seconds(workers)


def main(file: str) -> None:
    rows = pd.DataFrame(measured(), columns=["what", "task", "size", "seconds"])
    record(
        "growth",
        **{f"{row.what}, {row.task}, {row.size:.0f}: seconds": row.seconds for row in rows.itertuples()},
        matmul_rate_in_GFLOP_per_second=matmul_rate() / 1e9,
    )
    draw(rows, file)


def draw(rows: pd.DataFrame, file: str) -> None:
    ticks = altair.Axis(values=sorted(rows["size"].unique()), labelOverlap=True)
    colours = altair.Scale(range=["#0072B2", "#D55E00", "#009E73"])
    panel = (
        altair.Chart(rows)
        .mark_line(point=True)
        .encode(
            x=altair.X("size:Q", title=None, axis=ticks, scale=altair.Scale(type="log", nice=False, padding=10)),
            y=altair.Y("seconds:Q", scale=altair.Scale(type="log")),
            color=altair.Color("task:N", title=None, scale=colours, legend=altair.Legend(orient="bottom")),
        )
        .properties(width=190, height=200)
    )
    title = "Seconds per cell on one core ([0,99], 300-d, 5 shuffles, unless the panel says otherwise)"
    panel.facet(altair.Facet("what:N", title=None), columns=4, title=title).resolve_scale(x="independent").save(file)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "growth.svg")
