"""What a task is: questions about the numbers of a pool, and the right answers."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal, Self

import numpy as np

Part = Literal["train", "test"]


class Answer(Enum):
    """What a task asks for, and so what a probe has to give and a metric to score."""

    CHOICE = "choice"
    """One of an item's numbers, by its position."""
    VALUE = "value"
    """A number."""


@dataclass(frozen=True)
class Pool:
    """The numbers of one part of a split, in increasing order."""

    values: np.ndarray
    range_size: int
    """How many integers the whole range holds, over all parts of the split."""
    decimals: int = 0


@dataclass(frozen=True)
class Items:
    """Questions: `numbers` are positions in a pool, (items, numbers per item)."""

    numbers: np.ndarray
    targets: np.ndarray
    """The right answers: positions within the items, or values."""


class Task:
    """A kind of question about numbers. Subclass it as a frozen dataclass and define `draw`.

    A task knows nothing about embedders and probes.
    """

    name: ClassVar[str]
    answer: ClassVar[Answer]
    arity: ClassVar[int]
    """Numbers per item."""
    probe: ClassVar[str]
    """The probe that answers unless another is asked for."""
    metric: ClassVar[str]
    """The metric that scores the answers unless another is asked for."""

    @property
    def variant(self) -> str:
        """Which of several readings of the paper these settings are, in words; empty for the first."""
        return ""

    def quick(self) -> Self:
        """The same task with less to do, for a first look."""
        return self

    def item_count(self, numbers: int) -> int:
        """About how many training items so many numbers make, to estimate time."""
        return 10 * numbers

    def needs(self, pool: Pool) -> str | None:
        """Say why items can't be drawn from this pool, or None if they can."""
        return None if len(pool.values) >= 2 else f"it needs 2 numbers, and there are {len(pool.values)}"

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        """Draw the items of one part of a split."""
        raise NotImplementedError
