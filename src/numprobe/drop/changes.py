"""Changes of the numbers in a passage: the stress tests of Table 3, the larger test set and the augmentation.

A change draws random integers once per passage. The resulting `Rewriting` is applied to every number, either to the
tokens that NAQANet sees, while the text stays as it is, or to the text itself (`numprobe.drop.carrying`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.drop.quantities import LARGEST_QUANTITY, Quantity, in_words, token_value, written
from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import generator
from numprobe.registry import Spec, build

Rewriting = Callable[[Quantity], str]
"""How a number in one passage is written after the change."""


class Change(ABC):
    """A change of every number in a passage."""

    keeps_values: ClassVar[bool] = False
    """Whether only the notation of numbers changes."""

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Rewriting:
        """Draw what the change does to one passage."""


@dataclass(frozen=True)
class Add(Change):
    """Add one integer to all numbers of a passage."""

    low: int = 1
    high: int = 20

    def __post_init__(self) -> None:
        _check("add", self.low, self.high, least=1)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=1, plus=_integer(rng, self.low, self.high))


@dataclass(frozen=True)
class Multiply(Change):
    """Multiply all numbers of a passage by one integer."""

    low: int = 2
    high: int = 10

    def __post_init__(self) -> None:
        _check("multiply", self.low, self.high, least=1)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=_integer(rng, self.low, self.high), plus=0)


@dataclass(frozen=True)
class DigitsToWords(Change):
    """Write the whole numbers of a range in words."""

    keeps_values: ClassVar[bool] = True

    low: int = 0
    high: int = 20

    def __post_init__(self) -> None:
        _check("digits-to-words", self.low, self.high, least=0)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return self._rewrite

    def _rewrite(self, number: Quantity) -> str:
        is_whole = number.text.replace(",", "").isdecimal() and self.low <= number.value <= self.high
        return in_words(int(number.value)) if is_whole else number.text


@dataclass(frozen=True)
class Bigger(Change):
    """Multiply by an integer in [11, 20], then add one in [21, 40]: larger than anything the augmentation shows."""

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=_integer(rng, 11, 20), plus=_integer(rng, 21, 40))


@dataclass(frozen=True)
class Augmentation(Change):
    """Multiply by an integer in [1, 10], then add one in [0, 20]: the changed copies used in training."""

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=_integer(rng, 1, 10), plus=_integer(rng, 0, 20))


CHANGES: dict[str, type[Change]] = {
    "add": Add,
    "multiply": Multiply,
    "digits-to-words": DigitsToWords,
    "bigger": Bigger,
    "augmentation": Augmentation,
}

STRESS_TESTS = (
    "add:low=1,high=20",
    "add:low=21,high=100",
    "multiply:low=2,high=10",
    "multiply:low=11,high=100",
    "digits-to-words:low=0,high=20",
    "digits-to-words:low=21,high=100",
)
"""The rows of the paper's stress-test table."""


def load_change(spec: str) -> Change:
    """The change that a text such as `add:low=1,high=20` describes.

    >>> load_change("multiply:low=11,high=100")
    Multiply(low=11, high=100)
    """
    change: Change = build("change", CHANGES, Spec.parse(spec))
    return change


def draw_rewriting(change: Change, seed: int, passage_id: str) -> Rewriting:
    """What a change does to one passage, the same for the tokens of NAQANet and for the text."""
    return change.draw(generator(seed, "change", passage_id))


def seen_tokens(rewriting: Rewriting, text: str, tokens: Sequence[tuple[int, int]]) -> tuple[str | None, ...]:
    """What the model sees instead of each token, or None if the token stays; number words become one token.

    >>> add = Add(5, 5).draw(np.random.default_rng(0))
    >>> seen_tokens(add, "Two of 21 men", [(0, 3), (4, 6), (7, 9), (10, 13)])
    (None, None, '26', None)
    """

    def seen(start: int, end: int) -> str | None:
        token = text[start:end]
        value = token_value(token)
        if value is None:
            return None
        changed = rewriting(Quantity(start, end, token, value)).replace(" and ", " ").replace(" ", "-")
        return None if changed == token else changed

    return tuple(seen(start, end) for start, end in tokens)


def _rewriting(times: int, plus: int) -> Rewriting:
    def rewrite(number: Quantity) -> str:
        value = number.value * times + plus
        return number.text if value == number.value else written(value, number)

    return rewrite


def _integer(rng: np.random.Generator, low: int, high: int) -> int:
    return int(rng.integers(low, high, endpoint=True))


def _check(name: str, low: int, high: int, least: int) -> None:
    at_least(least, **{f"{name}:low": low})
    if low > high:
        raise NumprobeError(f"{name}: low {low} is above high {high}")
    if high > LARGEST_QUANTITY:
        raise NumprobeError(f"{name}: high {high:,} is above {LARGEST_QUANTITY:,}")
