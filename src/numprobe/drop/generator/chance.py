"""Draws of single things, for which numpy's own `choice` and `integers` take ten times as long."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def pick(options: Sequence[T], rng: np.random.Generator) -> T:
    return options[int(rng.random() * len(options))]


def shuffled(options: Sequence[T], rng: np.random.Generator) -> list[T]:
    return [options[place] for place in rng.permutation(len(options))]


def chance(probability: float, rng: np.random.Generator) -> bool:
    return rng.random() < probability


def around(middle: int, rng: np.random.Generator) -> int:
    """A whole number between half and twice the middle, as often above as below."""
    return round(middle * 2 ** rng.uniform(-1, 1))
