"""Baselines: random vectors, which know nothing, and the value itself, which is all there is to know (Section 3.2)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.embedders.base import WIDEST
from numprobe.errors import at_least, at_most, one_of
from numprobe.numbers import generator, read


@dataclass(frozen=True)
class RandomVectors:
    """A random vector per text, so that nothing learned carries over to test numbers."""

    name: ClassVar[str] = "random"

    dimension: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, dimension=self.dimension)
        at_most(WIDEST, dimension=self.dimension)
        at_least(0, seed=self.seed)

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.stack([generator(self.seed, "random vector", text).normal(size=self.dimension) for text in texts])


SCALES = ("log10", "raw", "standardised")


@dataclass(frozen=True)
class Value:
    """The number's value as a one-dimensional vector: its base-10 logarithm, raw, or standardised.

    The logarithm is sign(x) · log10(1 + |x|), which is defined for zero and negative numbers.

    >>> Value(scale="raw").encode(["75", "seventy-five"]).tolist()
    [[75.0], [75.0]]
    """

    name: ClassVar[str] = "value"

    scale: str = "log10"

    def __post_init__(self) -> None:
        one_of("scale", self.scale, SCALES)

    def encode(self, texts: list[str]) -> np.ndarray:
        values = np.array([[read(text)] for text in texts])
        if self.scale == "log10":
            values = np.sign(values) * np.log10(1 + np.abs(values))
        if self.scale == "standardised":
            values = (values - values.mean()) / (values.std() or 1.0)
        return values
