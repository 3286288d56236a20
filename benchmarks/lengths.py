"""Check that no fixed length of the vectors beats the one that development numbers choose.

For each embedder and task, the cell is run as always and then with each fixed length. The paired interval of its score
against that of its best fixed length must not lie wholly beyond 0.03 in accuracy or 10 % of the error. The interval is
that of the corrected resampled t-test (Nadeau and Bengio, 2003), since shuffles share training numbers.
"""

import argparse
from dataclasses import replace

import numpy as np
from measuring import record

from numprobe.analysis.statistics import half_width
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell

EMBEDDERS = (
    "untrained-cnn", "untrained-lstm", "value", "glove-6b-50d", "minilm-l6", "mpnet-base", "smollm2-135m", "char-cnn",
)  # fmt: skip
TASKS = (("list-maximum", "0:99"), ("list-maximum", "0:999"), ("decoding", "0:999"))
LENGTHS = (0.1, 0.3, 1.2, 5.0, 20.0)
TEST_SHARE = 0.25
"""Test numbers per training number."""


def interval(differences: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of a paired mean over shuffles that overlap in their training numbers."""
    half = half_width(differences.tolist(), TEST_SHARE)
    return float(differences.mean() - half), float(differences.mean() + half)


def fixed(cell: Cell, length: float) -> Cell:
    """The same cell, whose probe has no choice of a length."""
    probe = type(cell.parts.probe)
    ways = tuple(dict.fromkeys(way._replace(length=length) for way in probe.recipe.ways))
    made = type(probe.__name__, (probe,), {"recipe": replace(probe.recipe, ways=ways)})()
    return replace(cell, parts=cell.parts._replace(probe=made))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--task", action="append", help="task and range, such as decoding/0:999")
    options = parser.parse_args()
    passed = []
    for task, numbers in TASKS:
        if options.task and f"{task}/{numbers}" not in options.task:
            continue
        for embedder in options.embedder or EMBEDDERS:
            cell = Cell.make(embedder, task, numbers, missing="restrict")
            metric = cell.parts.metric
            own = np.array(run_cell(cell, "cpu").scores)
            others = {length: np.array(run_cell(fixed(cell, length), "cpu").scores) for length in LENGTHS}
            sign = 1 if metric.higher_is_better else -1
            best = max(others, key=lambda length: sign * others[length].mean())
            low, high = interval(sign * (others[best] - own))
            most = 0.03 if metric.higher_is_better else 0.1 * own.mean()
            passed.append(low <= most)
            shown = ", ".join(f"{length:g}: {scores.mean():.4g}" for length, scores in others.items())
            print(
                f"{cell}: chosen {own.mean():.4g}; {shown}; the best fixed one is better by {low:.3g} to {high:.3g}, "
                f"allowed {most:.3g}: {'fine' if passed[-1] else 'TOO FAR BEHIND'}",
                flush=True,
            )
    record("embedders whose length is chosen well", cells=len(passed), passed=sum(passed))


if __name__ == "__main__":
    main()
