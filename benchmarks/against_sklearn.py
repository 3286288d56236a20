"""Probes in banks against scikit-learn, one model per layer and shuffle, in one run on one core.

python benchmarks/against_sklearn.py [ridge] [mlp]

Ridge: RidgeCV over as many penalties, with its efficient leave-one-out, on SmolLM2's layers, [0,999].
MLP: MLPRegressor with its best settings, on MiniLM's layers, [0,999]: how long does it train, and how long do we until
the error is as small? Both settings are chosen on development numbers of another shuffle, and that is not counted.

Times are processor seconds. Only fitting and predicting count for scikit-learn; laying out the vectors counts for ours.
"""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

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
from numprobe.probes import Answers, Dataset
from numprobe.probes.engine.fitting import Choice, fit_chosen
from numprobe.probes.linear import PENALTIES
from numprobe.probes.network import Way

SHUFFLES = 5
CHOOSING = 10
"""The shuffle whose development numbers choose scikit-learn's settings. It is not reported."""

STEPS = (50, 100, 200, 400, 800, 1500, 3000)
"""After how many steps ours is tried, to find when its error is as small as theirs."""

AS_GOOD = 0.02
"""Of scikit-learn's settings whose errors are within this share of the least, the fastest is taken."""

RATES, DECAYS = (1e-3, 1e-2), (1e-4, 1.0, 10.0)
BATCHES = ((32, 50), (32, 200), (200, 50), (200, 200), (200, 1000))
"""Items per step, and passes."""

SETTINGS: list[dict[str, Any]] = [
    {"learning_rate_init": rate, "alpha": decay, "batch_size": size, "max_iter": passes, "n_iter_no_change": passes}
    for rate, decay, (size, passes) in product(RATES, DECAYS, BATCHES)
] + [{"solver": "lbfgs", "alpha": decay, "max_iter": 1000, "max_fun": 10_000} for decay in DECAYS]
"""What scikit-learn's MLP chooses from."""


class Measured(NamedTuple):
    seconds: float
    """Of the processor."""
    error: float

    @classmethod
    def of(cls, start: float, answers: Answers) -> "Measured":
        took = time.process_time() - start
        return cls(took, float(np.mean([rmse(*row) for row in zip(answers.given, answers.truths, strict=True)])))


def rmse(given: np.ndarray, truths: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(given - truths))))


def laboratory_of(embedder: str, probe: str) -> Laboratory:
    cell = Cell.make(embedder, "decoding", "0:999", probe=probe, seeds=SHUFFLES)
    return Laboratory(cell, torch.device("cpu"))


def every(laboratory: Laboratory, layers: Sequence[int]) -> list[Dataset]:
    return [Dataset(seed, layer) for layer in layers for seed in range(SHUFFLES)]


def ours(laboratory: Laboratory, datasets: Sequence[Dataset]) -> Measured:
    """A bank, which chooses its settings."""
    parts = laboratory.cell.parts
    start = time.process_time()
    return Measured.of(start, parts.probe.fit(parts.task.answer, laboratory.prepare, datasets))


def theirs(
    laboratory: Laboratory,
    datasets: Sequence[Dataset],
    make: Callable[[np.ndarray], Any],
    learn: str = "train",
    answer: str = "test",
    precision: str = "float32",
) -> Measured:
    """One model after another, with standardised targets; `make` makes it for the vectors to learn from."""
    took, errors = 0.0, []
    for dataset in datasets:
        split = laboratory.selection.split(dataset.seed)
        vectors, values = laboratory.vectors[dataset.layer].numpy().astype(precision), laboratory.selection.values
        known, asked = getattr(split, learn), getattr(split, answer)
        model, shift, scale = make(vectors[known]), values[known].mean(), values[known].std()
        start = time.process_time()
        targets = ((values[known] - shift) / scale).astype(precision)
        given = model.fit(vectors[known], targets).predict(vectors[asked]) * scale + shift
        took += time.process_time() - start
        errors.append(rmse(given, values[asked]))
    return Measured(took, float(np.mean(errors)))


def ridge(step: int) -> None:
    laboratory = laboratory_of("smollm2-135m:layer=all", "linear")
    datasets = every(laboratory, range(0, laboratory.layers, step))

    def make(learn: np.ndarray) -> RidgeCV:
        """The same penalties as ours, which are shares of the largest variance; scikit-learn takes none of 0."""
        largest = np.linalg.norm(learn - learn.mean(axis=0), 2) ** 2
        return RidgeCV(alphas=[max(penalty, 1e-9) * largest for penalty in PENALTIES])

    ours(laboratory, datasets[:SHUFFLES])  # the first time is slower, for both
    theirs(laboratory, datasets[:SHUFFLES], make, precision="float64")
    own, found = ours(laboratory, datasets), theirs(laboratory, datasets, make, precision="float64")
    record(
        f"RidgeCV ÷ linear, {len(datasets)} models of SmolLM2 on [0,999]",
        ratio=found.seconds / own.seconds,
        our_error=own.error,
        their_error=found.error,
        our_milliseconds=1e3 * own.seconds / len(datasets),
    )


def trained(laboratory: Laboratory, datasets: Sequence[Dataset], way: Way, steps: int, *parts: str) -> Measured:
    """Ours with known settings: processor seconds and mean error of a bank."""
    choice = Choice(*way, steps=steps, error=0.0)
    start = time.process_time()
    prepared = laboratory.prepare(*(parts or ("train", "test")), datasets)
    kind, probe = laboratory.cell.parts.task.answer, laboratory.probe
    answers = fit_chosen(probe, kind, prepared, datasets, [choice] * len(datasets))
    return Measured.of(start, answers)


def network(step: int) -> None:
    laboratory = laboratory_of("minilm-l6:layer=all", "mlp")
    layers = range(laboratory.layers - 1, -1, -step)
    choosing = [Dataset(CHOOSING, layers[0])]

    def maker(own: dict[str, Any]) -> Callable[[np.ndarray], Any]:
        network = MLPRegressor(hidden_layer_sizes=(100, 100), random_state=0, **own)
        return lambda learn: make_pipeline(StandardScaler(), network)

    tried = [theirs(laboratory, choosing, maker(own), "fit", "development") for own in SETTINGS]
    least = min(found.error for found in tried)
    good = [at for at, found in enumerate(tried) if found.error <= (1 + AS_GOOD) * least]
    best = min(good, key=lambda at: tried[at].seconds)
    print(f"MLPRegressor: {SETTINGS[best]}, development error {tried[best].error:.1f}, {tried[best].seconds:.1f} s")
    own_tried = {
        (way, steps): trained(laboratory, choosing, way, steps, "fit", "development")
        for way, steps in product(laboratory.probe.recipe.ways, STEPS)
    }
    enough = [own for own, found in own_tried.items() if found.error <= tried[best].error]
    if not enough:
        sys.exit(f"ours is never as good: at best {min(found.error for found in own_tried.values()):.1f}")
    way, steps = min(enough, key=lambda own: own_tried[own].seconds)
    print(f"mlp: {way}, {steps} steps, development error {own_tried[way, steps].error:.1f}")
    datasets = every(laboratory, layers)
    found, own = theirs(laboratory, datasets, maker(SETTINGS[best])), trained(laboratory, datasets, way, steps)
    chosen = ours(laboratory, datasets)
    record(
        f"MLPRegressor ÷ mlp, time to equal error, {len(datasets)} models of MiniLM on [0,999]",
        ratio=found.seconds / own.seconds,
        steps=steps,
        our_error=own.error,
        their_error=found.error,
        our_seconds=own.seconds,
        our_seconds_with_choice_and_all_steps=chosen.seconds,
        our_error_with_choice_and_all_steps=chosen.error,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    wanted = sys.argv[1:] or ["ridge", "mlp"]
    with one_thread(), threadpool_limits(1):
        if "ridge" in wanted:
            ridge(step=3)
        if "mlp" in wanted:
            network(step=3)
