"""Probes in banks against scikit-learn, one model per layer and shuffle, in one run on one core.

python benchmarks/against_sklearn.py [ridge] [mlp]

Ridge: RidgeCV over as many penalties, with its efficient leave-one-out, on SmolLM2's layers, [0,999].
MLP: MLPRegressor with its best of 18 settings, on MiniLM's layers, [0,999]. Ours chooses among its own settings in the
time that is counted; the search for theirs, on development numbers of another shuffle, is not counted.

Times are processor seconds. Only fitting and predicting count for scikit-learn; laying out the vectors counts for ours.
"""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import torch
from measuring import record
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeCV
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from numprobe.experiments import Cell
from numprobe.experiments.laboratory import Laboratory
from numprobe.kernels.device import one_thread
from numprobe.probes import Dataset
from numprobe.probes.linear import PENALTIES

SHUFFLES = 5
CHOOSING = 10
"""The shuffle whose development numbers choose scikit-learn's settings. It is not reported."""

STEPS = (100, 200, 400, 800, 1500, 3000, 48_000)
"""After how many steps our error is compared, to find when it is as small as theirs. The last is the default."""

ADAM = list(product((1e-3, 1e-2), (1e-4, 1.0), (32, 200), (200, 1000)))
"""Learning rate, decay, batch and passes."""


def rmse(given: np.ndarray, truths: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(given - truths))))


def laboratory_of(embedder: str, probe: str) -> Laboratory:
    cell = Cell.make(embedder, "decoding", "0:999", probe=probe, seeds=SHUFFLES)
    return Laboratory(cell, torch.device("cpu"))


def every(laboratory: Laboratory, layers: Sequence[int]) -> list[Dataset]:
    return [Dataset(seed, layer) for layer in layers for seed in range(SHUFFLES)]


def ours(laboratory: Laboratory, datasets: Sequence[Dataset]) -> tuple[float, float]:
    """Processor seconds and mean error of a bank."""
    parts = laboratory.cell.parts
    start = time.process_time()
    answers = parts.probe.fit(parts.task.answer, laboratory.prepare, datasets)
    took = time.process_time() - start
    return took, float(np.mean([rmse(*row) for row in zip(answers.given, answers.truths, strict=True)]))


def theirs(
    laboratory: Laboratory,
    datasets: Sequence[Dataset],
    make: Callable[[np.ndarray], Any],
    learn: str = "train",
    answer: str = "test",
) -> tuple[float, float]:
    """Processor seconds and mean error of one model after another; `make` makes it for the vectors to learn from."""
    took, errors = 0.0, []
    for dataset in datasets:
        split = laboratory.selection.split(dataset.seed)
        vectors, values = laboratory.vectors[dataset.layer].double().numpy(), laboratory.selection.values
        known, asked = getattr(split, learn), getattr(split, answer)
        model, scale = make(vectors[known]), values[known].std()
        start = time.process_time()
        given = model.fit(vectors[known], values[known] / scale).predict(vectors[asked]) * scale
        took += time.process_time() - start
        errors.append(rmse(given, values[asked]))
    return took, float(np.mean(errors))


def ridge(step: int) -> None:
    laboratory = laboratory_of("smollm2-135m:layer=all", "linear")
    datasets = every(laboratory, range(0, laboratory.layers, step))

    def make(learn: np.ndarray) -> RidgeCV:
        """The same penalties as ours, which are shares of the largest variance; scikit-learn takes none of 0."""
        largest = np.linalg.norm(learn - learn.mean(axis=0), 2) ** 2
        return RidgeCV(alphas=[max(penalty, 1e-9) * largest for penalty in PENALTIES])

    ours(laboratory, datasets[:SHUFFLES])  # the first time is slower, for both
    theirs(laboratory, datasets[:SHUFFLES], make)
    own_seconds, own_error = ours(laboratory, datasets)
    seconds, error = theirs(laboratory, datasets, make)
    record(
        f"RidgeCV ÷ linear, {len(datasets)} models of SmolLM2 on [0,999]",
        ratio=seconds / own_seconds,
        our_error=own_error,
        their_error=error,
        our_milliseconds=1e3 * own_seconds / len(datasets),
    )


def network(step: int) -> None:
    settings: list[dict[str, Any]] = [
        {"learning_rate_init": rate, "alpha": decay, "batch_size": size, "max_iter": passes, "n_iter_no_change": passes}
        for rate, decay, size, passes in ADAM
    ]
    settings += [{"solver": "lbfgs", "alpha": decay, "max_iter": 1000, "max_fun": 10_000} for decay in (1e-4, 1.0)]

    def maker(own: dict[str, Any]) -> Callable[[np.ndarray], Any]:
        return lambda learn: make_pipeline(StandardScaler(), MLPRegressor((100, 100), random_state=0, **own))

    laboratory = laboratory_of("minilm-l6:layer=all", "mlp")
    layers = range(laboratory.layers - 1, -1, -step)
    choosing = [Dataset(CHOOSING, layers[0])]
    tried = [theirs(laboratory, choosing, maker(own), "fit", "development")[1] for own in settings]
    best = settings[int(np.argmin(tried))]
    datasets = every(laboratory, layers)
    seconds, error = theirs(laboratory, datasets, maker(best))
    print(f"MLPRegressor's best settings, for development numbers of shuffle {CHOOSING}: {best}")
    for steps in STEPS:
        own_seconds, own_error = ours(laboratory_of("minilm-l6:layer=all", f"mlp:most_steps={steps}"), datasets)
        print(f"mlp, {steps} steps: {own_seconds:.1f} s, error {own_error:.1f}; theirs: {seconds:.1f} s, {error:.1f}")
        if own_error <= error:
            break
    record(
        f"MLPRegressor ÷ mlp, time to equal error, {len(datasets)} models of MiniLM on [0,999]",
        ratio=seconds / own_seconds,
        steps=steps,
        our_error=own_error,
        their_error=error,
        our_seconds=own_seconds,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    wanted = sys.argv[1:] or ["ridge", "mlp"]
    with one_thread(), threadpool_limits(1):
        if "ridge" in wanted:
            ridge(step=3)
        if "mlp" in wanted:
            network(step=3)
