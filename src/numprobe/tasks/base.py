"""What a task is: questions about the numbers of a pool, and the right answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal, Self

import numpy as np

from numprobe.numbers import Form, Mention

Part = Literal["train", "test"]


class Answer(Enum):
    """What a task asks for, and so what a probe has to give and a metric to score.

    >>> from numprobe.tasks import TASKS
    >>> TASKS.build("list-maximum").answer, TASKS.build("addition").answer
    (<Answer.CHOICE: 'choice'>, <Answer.VALUE: 'value'>)
    """

    CHOICE = "choice"
    """One of an item's numbers, by its position."""
    VALUE = "value"
    """A number."""
    CLASS = "class"
    """One of some classes, counted from 0."""


@dataclass(frozen=True)
class Pool:
    """The numbers of one part of a split, in increasing order.

    >>> from numprobe.tasks import TASKS
    >>> TASKS.build("decoding").needs(Pool(np.array([7.0]), range_size=100))
    'it needs 2 numbers, and there are 1'
    """

    values: np.ndarray
    range_size: int
    """How many integers the whole range holds, over all parts of the split."""
    decimals: int = 0
    part: str = ""
    """Which part of the split: train, fit, development or test."""


@dataclass(frozen=True)
class Items:
    """Questions: `numbers` are positions in a pool or in the `mentions`, (items, numbers per item).

    >>> from numprobe.tasks import TASKS
    >>> pool = Pool(np.array([3.0, 50.0, 99.0]), range_size=100)
    >>> items = TASKS.build("decoding").draw(pool, "train", np.random.default_rng(0))
    >>> items.numbers.tolist(), items.targets.tolist()
    ([[0], [1], [2]], [3.0, 50.0, 99.0])
    """

    numbers: np.ndarray
    targets: np.ndarray
    """The right answers: positions within the items, values, or classes."""
    mentions: Sequence[Mention] = ()
    """What the items are about, where a task writes its own sentences."""


class Task:
    """A kind of question about numbers. Subclass it as a frozen dataclass and define `draw`.

    A task knows nothing about embedders and probes.

    >>> import numprobe
    >>> @dataclass(frozen=True)
    ... class Half(Task):
    ...     name = "half"
    ...     answer = Answer.VALUE
    ...     probe = "linear"
    ...     metric = "rmse"
    ...     arity = 1
    ...     def draw(self, pool, part, rng):
    ...         return Items(np.arange(len(pool.values))[:, None], pool.values / 2)
    >>> round(numprobe.probe("value:scale=raw", Half()).mean, 6)
    0.0
    """

    name: ClassVar[str]
    answer: ClassVar[Answer]
    probe: ClassVar[str]
    """The probe that answers unless another is asked for."""
    metric: ClassVar[str]
    """The metric that scores the answers unless another is asked for."""
    has_query: ClassVar[bool] = False
    """Whether an item's first number is a query, and the others are what to choose from."""
    writes_sentences: ClassVar[bool] = False
    """Whether its items have mentions of their own."""

    @property
    def arity(self) -> int:
        """Numbers per item."""
        raise NotImplementedError

    @property
    def choices(self) -> int:
        """How many of an item's numbers may be right, where one is to be chosen."""
        return self.arity - self.has_query

    @property
    def forms(self) -> Sequence[Form]:
        """The forms that it writes numbers in, besides the cell's own."""
        return ()

    @property
    def asks_for_number(self) -> bool:
        """Whether the right answer is the number itself, so that a probe may look for it among candidates."""
        return False

    @property
    def variant(self) -> str:
        """Which of several readings of the paper these settings are, in words; empty for the first."""
        return ""

    @property
    def phrasings(self) -> tuple[str, ...]:
        """How to ask it in words: texts with slots for an item's numbers, up to the answer, which is a number.

        The slots are {number} for a single number, {first}, {second} and so on, or {numbers} for all with commas.
        """
        return ()

    def quick(self) -> Self:
        """The same task with less to do, for a first look."""
        return self

    def item_count(self, numbers: int) -> int:
        """About how many training items so many numbers make, to estimate time."""
        return 10 * numbers

    def needs(self, pool: Pool) -> str | None:
        """Say why items can't be drawn from this pool, or None if they can."""
        return None if len(pool.values) >= 2 else f"it needs 2 numbers, and there are {len(pool.values)}"

    def truths(self, values: np.ndarray) -> np.ndarray:
        """The right answers to (items, numbers per item) values; needed where `phrasings` ask about them."""
        raise NotImplementedError

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        """Draw the items of one part of a split."""
        raise NotImplementedError
