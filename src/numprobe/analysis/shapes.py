"""Which shape do the vectors of numbers have? How much of new vectors each shape explains."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from numprobe.analysis.geometry import Placed
from numprobe.kernels.device import one_thread
from numprobe.numbers import interpolation

SHUFFLES = 5
BASE = 10
CIRCLES = (2.0, 5.0, 10.0, 100.0)
"""The periods of the helix (Kantamneni and Tegmark)."""
WAVES = 16

NO_BETTER = 0.005
"""Of the shapes within this distance of the best, the one with the fewest coordinates is named."""
NOTHING = 0.05
"""If the best shape explains less than this, no shape is named."""

Points = Callable[[np.ndarray], np.ndarray]
"""Numbers -> (n, coordinates)."""


@dataclass(frozen=True)
class Explained:
    """For each shape, the share of the variance of held-out vectors that it explains (R²)."""

    states_r2: dict[str, float]
    coordinates: dict[str, int]

    @property
    def shape(self) -> str:
        """The shape that explains most; of equals the simplest; `none` if they explain nothing."""
        best = max(self.states_r2.values())
        if best < NOTHING:
            return "none"
        near = [name for name, own in self.states_r2.items() if own >= best - NO_BETTER]
        return min(near, key=lambda name: self.coordinates[name])


def explained(found: Placed) -> list[Explained]:
    """Fit every shape to four fifths of the numbers, predict the vectors of the others, for each layer.

    >>> values = np.arange(1.0, 100.0)
    >>> line = Placed(values, [str(value) for value in values], values[None, :, None])
    >>> explained(line)[0].shape
    'line'
    """
    with one_thread():  # many small systems: threads would wait for each other
        return [_explained(found.values, vectors.astype(np.float64)) for vectors in found.vectors]


def _explained(values: np.ndarray, vectors: np.ndarray) -> Explained:
    import torch

    found: dict[str, list[float]] = {}
    coordinates = {}
    for seed in range(SHUFFLES):
        split = interpolation(values, seed)
        for name, points in _shapes(values, vectors[split.train], values[split.train]).items():
            made = np.column_stack((np.ones(len(values)), points(values)))
            known = torch.from_numpy(made[split.train]), torch.from_numpy(vectors[split.train])
            weights = torch.linalg.lstsq(*known, driver="gelsd").solution  # waves may repeat each other
            missed = np.square(vectors[split.test] - made[split.test] @ weights.numpy()).sum()
            around = np.square(vectors[split.test] - vectors[split.train].mean(axis=0)).sum()
            found.setdefault(name, []).append(float(1 - missed / around) if around else 0.0)
            coordinates[name] = made.shape[1] - 1
    return Explained({name: float(np.mean(own)) for name, own in found.items()}, coordinates)


def _shapes(values: np.ndarray, vectors: np.ndarray, known: np.ndarray) -> Mapping[str, Points]:
    """The shapes by name. The sinusoids are those with the most power in the vectors to learn from."""
    import torch

    from numprobe.probes.bases import circles, digits_of
    from numprobe.probes.engine.waves import loudest

    scaled = vectors - vectors.mean(axis=0)
    scaled /= np.sqrt(np.square(scaled).sum(axis=1).mean()) or 1.0
    periods = loudest(torch.from_numpy(scaled).float(), torch.from_numpy(known), torch.from_numpy(values), WAVES)
    places = len(str(int(np.abs(values).max())))

    def around(numbers: np.ndarray, periods: "torch.Tensor") -> np.ndarray:
        return circles(torch.from_numpy(numbers), periods).numpy()

    def line(numbers: np.ndarray) -> np.ndarray:
        return np.asarray((numbers - values.mean()) / (np.ptp(values) or 1))[:, None]

    def logarithm(numbers: np.ndarray) -> np.ndarray:
        logs = np.log(numbers) if values.min() > 0 else np.sign(numbers) * np.log1p(np.abs(numbers))
        return np.asarray(logs)[:, None]

    def digits(numbers: np.ndarray) -> np.ndarray:
        found = digits_of(torch.from_numpy(numbers).abs(), BASE, places)
        return circles(found, torch.tensor([float(BASE)])).flatten(1).numpy()

    def helix(numbers: np.ndarray) -> np.ndarray:
        return np.column_stack((line(numbers), around(numbers, torch.tensor(CIRCLES))))

    return {
        "line": line,
        "log": logarithm,
        "circle per digit": digits,
        "line and circles": helix,
        "sinusoids": partial(around, periods=periods),
    }
