"""Description length by online coding (Voita and Titov, 2020): how many bits tell the numbers to someone who has the
vectors.

The numbers come in blocks. Each is coded by what a probe has learned from the blocks before it: the code of a number is
the probability of its unit bin under a Gaussian around the probe's answer. The first block is coded uniformly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numprobe.experiments.learning import Schooling
from numprobe.probes import Answers

FLOOR = 0.25
"""The least deviation. Without it, the first error of a probe that has always been right would cost without bound."""

LEAST = 1e-300
"""The least probability, so that lengths are finite."""


@dataclass(frozen=True)
class DescriptionLength:
    """Bits for all numbers, for each shuffle."""

    bits: list[float]
    uniform: float
    """The bits of a code that knows nothing but the range."""
    numbers: int

    @property
    def bits_per_number(self) -> float:
        return float(np.mean(self.bits)) / self.numbers

    @property
    def compression(self) -> float:
        """How many times shorter than the uniform code it is."""
        return self.uniform / float(np.mean(self.bits))


def description_length(schooling: Schooling) -> DescriptionLength:
    """Code all numbers of a cell, block after block."""
    values = schooling.values
    span = int(np.ptp(values)) + 1
    size, blocks = schooling.blocks()
    bits = [
        size * np.log2(span) + coded(schooling.first(seed, size), [_of_shuffle(block, seed) for block in blocks])
        for seed in range(schooling.cell.seeds)
    ]
    return DescriptionLength(list(map(float, bits)), float(len(values) * np.log2(span)), len(values))


def _of_shuffle(answers: Answers, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return answers.given[seed], answers.truths[seed]


def coded(first: np.ndarray, blocks: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """The bits of blocks of (answers, truths) that follow a first one.

    The deviation is that of the errors in the block before; at first, that of the first block's numbers.

    >>> round(coded(np.array([0.0, 9.0]), [(np.array([5.0]), np.array([5.0])), (np.array([7.0]), np.array([7.0]))]), 2)
    3.57
    """
    from scipy.stats import norm

    deviation, total = float(np.std(first)), 0.0
    for answers, truths in blocks:
        errors = truths - answers
        scale = max(FLOOR, deviation)
        # By symmetry in the lower tail, where differences of probabilities are exact.
        far = -np.abs(errors)
        chance = norm.cdf((far + 0.5) / scale) - norm.cdf((far - 0.5) / scale)
        total -= float(np.log2(np.maximum(chance, LEAST)).sum())
        deviation = float(np.sqrt(np.mean(np.square(errors))))
    return total
