"""Baselines: random vectors, which know nothing, and the value itself, which is all there is to know (Section 3.2)."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.embedders.base import WIDEST, Drawn
from numprobe.errors import at_least, at_most, one_of
from numprobe.numbers import read


@dataclass(frozen=True)
class RandomVectors(Drawn):
    """A random vector per text, so that nothing learned carries over to test numbers. Each shuffle draws its own."""

    name: ClassVar[str] = "random"

    dimension: int = 300
    seed: int | None = None

    def __post_init__(self) -> None:
        at_least(1, dimension=self.dimension)
        at_most(WIDEST, dimension=self.dimension)
        at_least(0, seed=self.drawn_with)

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.stack([self._drawn(text) for text in texts])

    def _drawn(self, text: str) -> np.ndarray:
        # Among 10,000 texts, some two share a checksum of 32 bits once in a hundred times.
        key = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        rng = np.random.Generator(np.random.SFC64([self.drawn_with, key]))
        return rng.standard_normal(self.dimension, dtype=np.float32)


SCALES = ("log10", "raw")


@dataclass(frozen=True)
class Value:
    """The number's value as a one-dimensional vector: its base-10 logarithm, or raw.

    The logarithm is sign(x) · log10(1 + |x|), which is defined for zero and negative numbers.

    >>> Value(scale="raw").encode(["75", "seventy-five"]).tolist()
    [[75.0], [75.0]]
    """

    name: ClassVar[str] = "value"

    scale: str = "log10"

    def __post_init__(self) -> None:
        one_of("scale", self.scale, SCALES)

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_values(np.array([read(text) for text in texts]))

    def encode_values(self, values: np.ndarray) -> np.ndarray:
        """The vectors of numbers that are written in any form."""
        values = values[:, None]
        if self.scale == "log10":
            values = np.sign(values) * np.log10(1 + np.abs(values))
        return values
