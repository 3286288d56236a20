"""What to generate, and how single things are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from numprobe.drop.generator.facts import KINDS, QuestionKind
from numprobe.drop.generator.language import DOMAINS, load_domain
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import Range

FACTS, DISTRACTORS = (6, 40), (0, 40)
"""With fewer facts there is nothing to compare; with more of either, a passage reaches a thousand words."""
SMALLEST_RANGE = 10
"""With fewer distinct numbers most facts would be equal, and no fact would be the largest."""

T = TypeVar("T")


@dataclass(frozen=True)
class GeneratorSettings:
    """Settings of the generator. A passage has between half and twice the given numbers of facts and distractors."""

    passages: int = 100
    questions: int = 16
    """At most this many per passage; a short passage may support fewer distinct questions."""
    domains: tuple[str, ...] = DOMAINS
    """Passages take turns."""
    kinds: tuple[QuestionKind, ...] = KINDS
    range: Range | None = None
    """Of all quantities, relevant or not, except percentages, dates and scores. None: each measure's usual range."""
    words: float = 0.2
    """Share of the numbers below twenty that are written in words."""
    facts: int = 11
    """About 12 words each."""
    distractors: int = 4
    """Sentences that no question is about."""
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, passages=self.passages, questions=self.questions, domains=len(self.domains), kinds=len(self.kinds))
        at_least(0, seed=self.seed)
        for kind in self.kinds:
            one_of("question type", kind, KINDS)
        for name in self.domains:
            one_of("domain", name, DOMAINS)
            if not any(load_domain(name).wordings[kind] for kind in self.kinds):
                raise NumprobeError(f"domain '{name}' has no questions of type {', '.join(self.kinds)}: leave it out")
        _between("facts", FACTS, self.facts)
        _between("distractors", DISTRACTORS, self.distractors)
        _between("words", (0, 1), self.words)
        if self.range and (self.range.decimals or self.range.low < 1 or self.range.size < SMALLEST_RANGE):
            raise NumprobeError(f"range {self.range} must hold {SMALLEST_RANGE} or more whole numbers, all above zero")


def _between(name: str, limits: tuple[int, int], value: float) -> None:
    low, high = limits
    if not low <= value <= high:
        raise NumprobeError(f"{name} must lie between {low} and {high}, not {value}")


def pick(options: Sequence[T], rng: np.random.Generator) -> T:
    """One of the options; ten times faster than numpy's `choice`."""
    return options[int(rng.random() * len(options))]


def shuffled(options: Sequence[T], rng: np.random.Generator) -> list[T]:
    return [options[place] for place in rng.permutation(len(options))]


def around(middle: int, rng: np.random.Generator) -> int:
    """A whole number between half and twice the middle, equally often above and below it."""
    return round(middle * 2 ** rng.uniform(-1, 1))
