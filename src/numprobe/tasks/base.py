"""What a task is: items as indices into a pool of numbers, a target for each, and a score."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

Part = Literal["train", "test"]
Metric = Literal["accuracy", "rmse"]


@dataclass(frozen=True)
class Pool:
    """The numbers of one part of a split, in increasing order, and the size of the range they come from."""

    values: np.ndarray
    range_size: int
    """How many integers the whole range holds, over all parts of the split."""
    decimals: int = 0


@dataclass(frozen=True)
class Items:
    """Questions to a probe: `numbers` are positions in a pool, (items, numbers per item)."""

    numbers: np.ndarray
    targets: np.ndarray
    """The position of the maximum, or the value to predict."""


class Task(Protocol):
    """Declarative: no task knows which embedder or probe it meets."""

    name: ClassVar[str]
    metric: ClassVar[Metric]
    arity: ClassVar[int]
    """Numbers per item."""
    probe: ClassVar[str]
    """The probe that the paper uses for it."""

    def needs(self, pool: Pool) -> str | None:
        """Why items can't be drawn from this pool, or None."""

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        """The items of one part of a split."""
