"""Which numbers train, which choose settings, and which test. A number is in one part only."""

from dataclasses import dataclass

import numpy as np

from numprobe.numbers.ranges import generator, integer_parts

TRAIN_SHARE = 0.8
"""80 % of the numbers train, 20 % test (Section 3.1)."""

FOLDS = 5
"""Settings are chosen on a fifth of the training numbers, or on several fifths one after another."""


@dataclass(frozen=True)
class Split:
    """Positions in the sorted values of a cell. `train` is `fit` and `development` together.

    >>> split = interpolation(np.arange(10), seed=0)
    >>> sorted([*split.fit, *split.development]) == split.train.tolist()
    True
    """

    train: np.ndarray
    test: np.ndarray
    fit: np.ndarray
    development: np.ndarray

    def among(self, own: np.ndarray) -> "Split":
        """Extend the split to more numbers, all of which test. `own` marks the numbers that were split."""
        train, test, fit, development = (
            np.flatnonzero(own)[part] for part in (self.train, self.test, self.fit, self.development)
        )
        return Split(train, np.union1d(test, np.flatnonzero(~own)), fit, development)


def interpolation(values: np.ndarray, seed: int, fold: int = 0) -> Split:
    """Shuffle the numbers and cut them 80/20. All methods share the shuffle of a seed.

    `fold` says which fifth of the training numbers is for development.

    Floats are held out by their integer part: a test list may need five decimals of one (Appendix D.3), and none of
    these may be in the training set.

    >>> split = interpolation(np.arange(100), seed=0)
    >>> len(split.train), len(split.test), len(split.fit), len(split.development)
    (80, 20, 64, 16)
    """
    wholes = integer_parts(values)
    order = generator(seed, "shuffle").permutation(np.unique(wholes))
    cut = int(TRAIN_SHARE * len(order))
    return _split(wholes, order[:cut], np.flatnonzero(np.isin(wholes, order[cut:])), fold)


def extrapolation(values: np.ndarray, seed: int, fold: int = 0) -> Split:
    """Train on all of these numbers; the test numbers come from elsewhere.

    >>> split = extrapolation(np.arange(100), seed=0)
    >>> len(split.train), len(split.test), len(split.development)
    (100, 0, 20)
    """
    wholes = integer_parts(values)
    order = generator(seed, "shuffle").permutation(np.unique(wholes))
    return _split(wholes, order, np.empty(0, dtype=np.int64), fold)


def beginning(values: np.ndarray, seed: int, count: int, following: int = 0, fold: int = 0) -> Split:
    """Train on the first `count` of the shuffled numbers, and test on so many `following` ones.

    With none following, the test numbers are the last fifth of the shuffle: those of `interpolation`.

    >>> split = beginning(np.arange(100), seed=0, count=40)
    >>> len(split.train), split.test.tolist() == interpolation(np.arange(100), seed=0).test.tolist()
    (40, True)
    """
    wholes = integer_parts(values)
    order = generator(seed, "shuffle").permutation(np.unique(wholes))
    asked = order[count : count + following] if following else order[int(TRAIN_SHARE * len(order)) :]
    return _split(wholes, order[:count], np.flatnonzero(np.isin(wholes, asked)), fold)


def _split(wholes: np.ndarray, order: np.ndarray, test: np.ndarray, fold: int) -> Split:
    size = len(order) // FOLDS
    end = len(order) - fold * size
    is_development = np.isin(wholes, order[end - size : end])
    train = np.isin(wholes, order)
    return Split(np.flatnonzero(train), test, np.flatnonzero(train & ~is_development), np.flatnonzero(is_development))
