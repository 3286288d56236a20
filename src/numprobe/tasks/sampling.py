"""Drawing distinct numbers for lists, vectorised over all lists at once.

"Draw until there are five distinct values" is successive sampling without replacement. It has the same distribution
as an exponential race: candidate j arrives at time E_j / weight_j, and the first five win. So even a value that a
Gaussian hits once in 10^50 draws needs no loop.
"""

import numpy as np

CHUNK = 20_000
"""Lists that race at once; this bounds memory."""

RELEASED_LEAST = 12
"""How many numbers the released sampler needs: a maximum has ten numbers or more below it and one above."""


def race(log_weights: np.ndarray, which: np.ndarray, winners: int, rng: np.random.Generator) -> np.ndarray:
    """For each i, draw `winners` distinct columns by the weights in row which[i] of `log_weights`."""
    drawn = np.empty((len(which), winners), dtype=np.int32)
    for start in range(0, len(which), CHUNK):
        rows = log_weights[which[start : start + CHUNK]]
        exponential = rng.standard_exponential(rows.shape, dtype=np.float32)
        arrival = np.log(np.maximum(exponential, np.finfo(np.float32).tiny)) - rows
        drawn[start : start + CHUNK] = np.argpartition(arrival, winners - 1, axis=1)[:, :winners]
    return drawn


def without_replacement(sizes: np.ndarray, winners: int, rng: np.random.Generator) -> np.ndarray:
    """For each i, draw `winners` distinct integers below sizes[i], all sets equally likely (Floyd's algorithm)."""
    drawn = np.empty((len(sizes), winners), dtype=np.int64)
    for column in range(winners):
        last = sizes - winners + column
        fresh = rng.integers(last + 1)
        drawn[:, column] = np.where((drawn[:, :column] == fresh[:, None]).any(axis=1), last, fresh)
    return drawn


def nearby(pool: np.ndarray, deviation: float, length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw lists as Appendix C says: an anchor plus Gaussian noise, rounded to the nearest value of the pool."""
    reach = _reach(pool, 6 * deviation, at_least=length + 3)
    around = np.arange(-reach, reach + 1)
    log_weights = _rounding_log_probabilities(pool, around, deviation)
    anchors = rng.integers(len(pool), size=count)
    return np.asarray(anchors[:, None] + around[race(log_weights, anchors, length, rng)])


def released(pool: np.ndarray, length: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw lists as the authors' released code does, on indices of the sorted pool.

    It chooses a maximum first. Half of the lists are uniform below it, half are a truncated Gaussian step below it
    (with a deviation of 5 up to index 500, then of 1 % of the index).
    """
    maxima = rng.integers(RELEASED_LEAST - 2, len(pool) - 1, size=count)
    close = rng.random(count) < 0.5
    deviations = np.where(maxima <= 500, 5.0, 0.01 * maxima)

    def draw(lists: np.ndarray) -> np.ndarray:
        highest = maxima[lists]
        step = np.trunc(rng.normal(scale=deviations[lists])).astype(np.int64)
        near = np.clip(highest - step, 0, highest - 1)
        chosen: np.ndarray = np.where(close[lists], near, rng.integers(highest - 1))
        return chosen

    below = np.empty((count, length - 1), dtype=np.int64)
    for column in range(length - 1):
        again = np.arange(count)
        while len(again):
            below[again, column] = draw(again)
            again = again[(below[again, :column] == below[again, column, None]).any(axis=1)]
    return np.column_stack((maxima, below))


def _reach(pool: np.ndarray, distance: float, at_least: int) -> int:
    """How many neighbours on one side can matter: all within `distance`, but no fewer than `at_least`."""
    neighbours = np.searchsorted(pool, pool + distance, side="right") - np.arange(len(pool))
    return min(len(pool) - 1, max(at_least, int(neighbours.max())))


def _rounding_log_probabilities(pool: np.ndarray, around: np.ndarray, deviation: float) -> np.ndarray:
    """log P(anchor + noise rounds to the neighbour `around` places away), for every anchor of the pool."""
    from scipy.special import log_ndtr

    middles = np.concatenate(([-np.inf], (pool[1:] + pool[:-1]) / 2, [np.inf]))
    places = np.arange(len(pool))[:, None] + around
    there = (places >= 0) & (places < len(pool))
    places = np.clip(places, 0, len(pool) - 1)
    low, high = ((middles[places + side] - pool[:, None]) / deviation for side in (0, 1))
    # Mirror the upper tail to the lower one, where the logarithm keeps its precision.
    low, high = np.where(low > 0, -high, low), np.where(low > 0, -low, high)
    log_high = log_ndtr(high)
    with np.errstate(divide="ignore"):
        inside = log_high + np.log(-np.expm1(log_ndtr(low) - log_high))
    return np.where(there, inside, -np.inf).astype(np.float32)
