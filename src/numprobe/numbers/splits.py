"""Which numbers train, which choose, and which test. A number is held out whole."""

from dataclasses import dataclass

import numpy as np

from numprobe.numbers.seeds import generator

TRAIN_SHARE = 0.8
"""80 % of the numbers train, 20 % test (Section 3.1)."""

DEVELOPMENT_SHARE = 0.2
"""Share of the training numbers on which `strict` chooses its settings."""


@dataclass(frozen=True)
class Split:
    """Positions in the sorted values of a cell. `train` holds `fit` and `development`, and never `test`."""

    train: np.ndarray
    test: np.ndarray
    fit: np.ndarray
    development: np.ndarray

    def among(self, own: np.ndarray) -> "Split":
        """The same split where there are more numbers, which all test; `own` is true for those it has split."""
        train, test, fit, development = (
            np.flatnonzero(own)[part] for part in (self.train, self.test, self.fit, self.development)
        )
        return Split(train, np.union1d(test, np.flatnonzero(~own)), fit, development)


def interpolation(values: np.ndarray, seed: int) -> Split:
    """Shuffle and cut 80/20. The shuffle depends on the seed and the values alone: all methods share it.

    Floats are held out by their integer: a test list may need five decimals of one integer
    (Appendix D.3), and none of those may have been trained on.

    >>> split = interpolation(np.arange(100), seed=0)
    >>> len(split.train), len(split.test), len(split.fit), len(split.development)
    (80, 20, 64, 16)
    """
    wholes = np.floor(values)
    order = generator(seed, "shuffle").permutation(np.unique(wholes))
    cut = int(TRAIN_SHARE * len(order))
    return _split(wholes, order[:cut], np.flatnonzero(np.isin(wholes, order[cut:])))


def extrapolation(values: np.ndarray, seed: int) -> Split:
    """All train: the test numbers are others."""
    wholes = np.floor(values)
    return _split(wholes, generator(seed, "shuffle").permutation(np.unique(wholes)), np.empty(0, dtype=np.int64))


def _split(wholes: np.ndarray, order: np.ndarray, test: np.ndarray) -> Split:
    cut = len(order) - int(DEVELOPMENT_SHARE * len(order))
    fit, development = (np.flatnonzero(np.isin(wholes, part)) for part in (order[:cut], order[cut:]))
    return Split(np.union1d(fit, development), test, fit, development)
