"""Check that probes train to a plateau: four times the steps bring next to nothing.

Each cell is run as always, or taken from the published results. Then each of its probes is trained again with the
chosen learning rate and length, without stopping, for four times the steps that it took. The paired mean over the
shuffles may improve by at most 5 % of the error (or 0.1 % of the range, if that is more), or by 0.01 in accuracy.
Half of the cells are named, because earlier versions of numprobe failed on them; the other half is drawn from Table 4
by a seed.
"""

import argparse
from dataclasses import fields, replace

import numpy as np
import torch
from measuring import record

from numprobe.experiments import Cell, Result, load_suite
from numprobe.experiments.archive import published_results
from numprobe.experiments.laboratory import Laboratory, run_cell
from numprobe.experiments.suites import absent
from numprobe.kernels.device import one_thread
from numprobe.numbers import generator
from numprobe.probes.engine.fitting import Choice, fit_chosen, taken

NAMED = (
    ("untrained-cnn", "addition", "0:9999"),
    ("untrained-lstm", "addition", "0:9999"),
    ("minilm-l6", "addition", "0:9999"),
    ("untrained-lstm", "decoding", "0:999"),
    ("untrained-cnn", "list-maximum", "0:999"),
    ("minilm-l6", "list-maximum", "0:999"),
    ("glove-6b-50d", "list-maximum", "0:999"),
    ("char-cnn", "list-maximum", "0:99"),
)
STRETCH = 4


def cells(seed: int) -> list[Cell]:
    """The named cells, and as many others of Table 4."""
    suite = load_suite("integers").cells
    missing = absent(suite)
    named = [Cell.make(*texts, missing="restrict") for texts in NAMED]
    others = [cell for cell in suite if cell.embedder not in missing and cell not in named]
    drawn = generator(seed, "plateau").permutation(len(others))[: len(named)]
    return [*named, *(others[at] for at in drawn)]


def stretched(result: Result) -> tuple[np.ndarray, list[int]]:
    """The scores of a cell's shuffles after four times the steps, and the steps that it took."""
    parts, laboratory = result.cell.parts, Laboratory(result.cell, torch.device("cpu"))
    known = {own.name for own in fields(Choice)}
    choices = [Choice(**{name: choice[name] for name in known}) for choice in result.choices]
    steps = [taken(parts.probe, choice) for choice in choices]
    more = [replace(choice, steps=STRETCH * own) for choice, own in zip(choices, steps, strict=True)]
    (datasets,) = laboratory.banks()
    made = fit_chosen(parts.probe, parts.task.answer, laboratory.prepare("train", "test", datasets), datasets, more)
    rows = zip(made.given, made.truths, made.guesses, strict=True)
    return np.array([parts.metric.score(*row) for row in rows]), steps


def allowed(cell: Cell, score: float) -> float:
    if cell.parts.metric.higher_is_better:
        return 0.01
    values = cell.parts.numbers.values()
    return max(0.05 * score, 0.001 * float(values.max() - values.min()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="check only cells whose text contains this")
    options = parser.parse_args()
    passed = []
    published = {result.cell: result for result in published_results()}
    with one_thread():
        for cell in (cell for cell in cells(options.seed) if options.only in str(cell)):
            result = published.get(cell) or run_cell(cell, "cpu")
            longer, steps = stretched(result)
            scores = np.array(result.scores)
            gain = float((longer - scores).mean()) * (1 if cell.parts.metric.higher_is_better else -1)
            most = allowed(cell, float(scores.mean()))
            passed.append(gain <= most)
            verdict = "plateau" if passed[-1] else "NOT ON A PLATEAU"
            print(
                f"{cell}: {scores.mean():.4g} after {min(steps)} to {max(steps)} steps, {longer.mean():.4g} after "
                f"{STRETCH} times as many; gain {gain:.3g}, allowed {most:.3g}: {verdict}",
                flush=True,
            )
    record("cells on a plateau", cells=len(passed), passed=sum(passed))


if __name__ == "__main__":
    main()
