"""Changes of a passage's numbers: the stress tests of Table 3, the larger test set and the augmentation.

A change draws one random integer per passage. What it then does to a number is a `Rewriting`. Inside the model, the
tokens of numbers are seen rewritten and the text stays; `numprobe.drop.carrying` changes the text itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from numprobe.drop.quantities import LARGEST, Quantity, Value, in_words, token_value, written
from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import generator
from numprobe.registry import Spec, build

Rewriting = Callable[[Quantity], str]
"""How a number of one passage is written after the change; its own text where it stays."""


class Change(Protocol):
    """A change of every number of a passage."""

    keeps_values: ClassVar[bool]
    """Whether numbers are only written differently."""

    def draw(self, rng: np.random.Generator) -> Rewriting:
        """What the change does to one passage."""


@dataclass(frozen=True)
class Add:
    """Add one integer to all numbers of a passage."""

    keeps_values: ClassVar[bool] = False

    low: int = 1
    high: int = 20

    def __post_init__(self) -> None:
        _check("add", self.low, self.high, least=1)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=1, plus=_integer(rng, self.low, self.high))


@dataclass(frozen=True)
class Multiply:
    """Multiply all numbers of a passage by one integer."""

    keeps_values: ClassVar[bool] = False

    low: int = 2
    high: int = 10

    def __post_init__(self) -> None:
        _check("multiply", self.low, self.high, least=1)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=_integer(rng, self.low, self.high), plus=0)


@dataclass(frozen=True)
class DigitsToWords:
    """Write the whole numbers of a range in words."""

    keeps_values: ClassVar[bool] = True

    low: int = 0
    high: int = 20

    def __post_init__(self) -> None:
        _check("digits-to-words", self.low, self.high, least=0)

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return self._rewrite

    def _rewrite(self, number: Quantity) -> str:
        is_plain = number.text.replace(",", "").isdecimal() and self.low <= number.value <= self.high
        return in_words(int(number.value)) if is_plain else number.text


@dataclass(frozen=True)
class Bigger:
    """Multiply by an integer from [11, 20], then add one from [21, 40]: beyond what the augmentation shows."""

    keeps_values: ClassVar[bool] = False

    def draw(self, rng: np.random.Generator) -> Rewriting:
        return _rewriting(times=_integer(rng, 11, 20), plus=_integer(rng, 21, 40))


@dataclass(frozen=True)
class Augmentation:
    """Multiply by an integer from [1, 10], then add one from [0, 20]: the copies that training gets."""

    keeps_values: ClassVar[bool] = False

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
    """The change that a spec names.

    >>> load_change("multiply:low=11,high=100")
    Multiply(low=11, high=100)
    """
    change: Change = build("change", CHANGES, Spec.parse(spec))
    return change


def drawn(change: Change, seed: int, passage_id: str) -> Rewriting:
    """What a change does to one passage: the same inside the model and in the text."""
    return change.draw(generator(seed, "change", passage_id))


def inside(rewriting: Rewriting, text: str, tokens: Sequence[tuple[int, int]]) -> tuple[str | None, ...]:
    """What the model sees in place of each token of a text, None where it sees the token; words become one token.

    >>> add = Add(5, 5).draw(np.random.default_rng(0))
    >>> inside(add, "Two of 21 men", [(0, 3), (4, 6), (7, 9), (10, 13)])
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
        value: Value = number.value * times + plus
        return number.text if value == number.value else written(value, number)

    return rewrite


def _integer(rng: np.random.Generator, low: int, high: int) -> int:
    return int(rng.integers(low, high, endpoint=True))


def _check(name: str, low: int, high: int, least: int) -> None:
    at_least(least, **{f"{name}:low": low})
    if low > high:
        raise NumprobeError(f"{name}: low {low} lies above high {high}")
    if high > LARGEST:
        raise NumprobeError(f"{name}: high {high:,} lies above {LARGEST:,}")
