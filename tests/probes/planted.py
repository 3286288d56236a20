"""Embedders in which a shape is planted, and Gaussian ones."""

from collections.abc import Callable

import numpy as np

Shape = Callable[[np.ndarray], np.ndarray]


def circle(values: np.ndarray, period: float) -> np.ndarray:
    return np.stack((np.cos(2 * np.pi * values / period), np.sin(2 * np.pi * values / period)), axis=1)


def line(values: np.ndarray) -> np.ndarray:
    return values[:, None]


def logarithm(values: np.ndarray) -> np.ndarray:
    return np.log(values)[:, None]


def digits(values: np.ndarray) -> np.ndarray:
    """A circle per decimal digit."""
    return np.concatenate([circle(values // 10**place % 10, 10) for place in range(3)], axis=1)


def helix(values: np.ndarray) -> np.ndarray:
    return np.concatenate([values[:, None] / 200, *(circle(values, period) for period in (2, 5, 10, 100))], axis=1)


def waves(values: np.ndarray) -> np.ndarray:
    return np.concatenate([circle(values, period) for period in (7.3, 31.7, 150.0, 1100.0)], axis=1)


SHAPES: dict[str, Shape] = {
    "linear": line,
    "linear:target=log": logarithm,
    "circular": digits,
    "helix": helix,
    "sinusoidal": waves,
}
"""Probe -> the shape that it looks for."""


def planted(shape: Shape, dimension: int = 16) -> Callable[[list[str]], np.ndarray]:
    """An embedder whose vectors are the points of a shape, turned into other coordinates."""

    def encode(texts: list[str]) -> np.ndarray:
        points = shape(np.array([float(text) for text in texts]))
        turned = points @ np.random.default_rng(1).normal(size=(points.shape[1], dimension))
        return np.asarray(3 + turned, dtype=np.float32)

    return encode


def gaussian(texts: list[str]) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(len(texts), 32))
