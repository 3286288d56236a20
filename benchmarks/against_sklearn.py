"""Probes in banks against scikit-learn, one model per layer and shuffle, in one run on one core.

Ridge: RidgeCV over as many penalties, with its efficient leave-one-out, on SmolLM2's layers [0,999].
MLP: MLPRegressor with its best of some settings, chosen on development numbers, on MiniLM's last layer [0,999].
"""

import sys
import time
import warnings
from itertools import product

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


def rmse(given: np.ndarray, truths: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(given - truths))))


def parts(laboratory: Laboratory, dataset: Dataset, learn: str, answer: str) -> list[np.ndarray]:
    """Vectors and values to learn from, and those to answer, as scikit-learn takes them."""
    split = laboratory.selection.split(dataset.seed)
    vectors, values = laboratory.vectors[dataset.layer].numpy(), laboratory.selection.values
    rows = (getattr(split, learn), getattr(split, answer))
    return [part for row in rows for part in (vectors[row].astype(np.float64), values[row])]


def ridge(layers: int) -> None:
    cell = Cell.make("smollm2-135m:layer=all", "decoding", "0:999", probe="linear", seeds=SHUFFLES)
    laboratory = Laboratory(cell, torch.device("cpu"))
    step = max(1, laboratory.layers // layers)
    datasets = [Dataset(seed, layer) for layer in range(0, laboratory.layers, step) for seed in range(SHUFFLES)]
    start = time.perf_counter()
    answers = cell.parts.probe.fit(cell.parts.task.answer, laboratory.prepare, datasets)
    ours = time.perf_counter() - start
    scores = [rmse(given, truths) for given, truths in zip(answers.given, answers.truths, strict=True)]
    start = time.perf_counter()
    theirs = []
    for dataset in datasets:
        learn, values, asked, truths = parts(laboratory, dataset, "train", "test")
        largest = np.linalg.norm(learn - learn.mean(axis=0), 2) ** 2
        alphas = [max(penalty, 1e-9) * largest for penalty in PENALTIES]
        theirs.append(rmse(RidgeCV(alphas=alphas).fit(learn, values).predict(asked), truths))
    took = time.perf_counter() - start
    record(
        f"RidgeCV ÷ linear, {len(datasets)} models of SmolLM2 on [0,999]",
        ratio=took / ours,
        our_error=float(np.mean(scores)),
        their_error=float(np.mean(theirs)),
        our_milliseconds=1e3 * ours / len(datasets),
    )


def network() -> None:
    cell = Cell.make("minilm-l6", "decoding", "0:999", probe="mlp", seeds=SHUFFLES)
    laboratory = Laboratory(cell, torch.device("cpu"))
    datasets = [Dataset(seed) for seed in range(SHUFFLES)]
    start = time.perf_counter()
    answers = cell.parts.probe.fit(cell.parts.task.answer, laboratory.prepare, datasets)
    ours = time.perf_counter() - start
    scores = [rmse(given, truths) for given, truths in zip(answers.given, answers.truths, strict=True)]

    def model(rate: float, decay: float, most: int) -> object:
        made = MLPRegressor((100, 100), learning_rate_init=rate, alpha=decay, max_iter=most, tol=0, random_state=0)
        return make_pipeline(StandardScaler(), made)

    # Its settings are chosen on development numbers of a shuffle that is not reported. That time is not counted.
    learn, values, asked, truths = parts(laboratory, Dataset(10), "fit", "development")
    scale = values.std()
    tried = {
        own: rmse(model(*own).fit(learn, values / scale).predict(asked) * scale, truths)  # type: ignore[attr-defined]
        for own in product((1e-3, 1e-2), (1e-4, 1.0), (200, 1000))
    }
    best = min(tried, key=lambda own: tried[own])
    start = time.perf_counter()
    theirs = []
    for dataset in datasets:
        learn, values, asked, truths = parts(laboratory, dataset, "train", "test")
        theirs.append(rmse(model(*best).fit(learn, values / scale).predict(asked) * scale, truths))  # type: ignore[attr-defined]
    took = time.perf_counter() - start
    record(
        f"MLPRegressor (rate {best[0]:g}, alpha {best[1]:g}, {best[2]} passes) ÷ mlp, MiniLM on [0,999]",
        ratio=took / ours,
        our_error=float(np.mean(scores)),
        their_error=float(np.mean(theirs)),
        our_seconds=ours,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    with one_thread(), threadpool_limits(1):
        if "mlp" not in sys.argv[1:]:
            ridge(layers=8)
        if "ridge" not in sys.argv[1:]:
            network()
