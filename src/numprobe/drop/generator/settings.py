"""What to generate, and how single things are drawn."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from numprobe.drop.generator.facts import KINDS, QuestionKind
from numprobe.drop.generator.language import DOMAINS, load_domain
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import Range

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
    narrow: float = 0.75
    """Share of the measures in a passage whose values all begin with the same digit and have as many digits.

    Without it, nine of ten superlative questions could be answered from digit counts and first digits.
    """
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
        # With fewer facts there is nothing to compare; with more facts or distractors, a passage reaches 1,000 words.
        for name, low, high in (("facts", 6, 40), ("distractors", 0, 40), ("words", 0, 1), ("narrow", 0, 1)):
            if not low <= getattr(self, name) <= high:
                raise NumprobeError(f"{name} must lie between {low} and {high}, not {getattr(self, name)}")
        # With fewer distinct numbers most facts would be equal, and no fact would be the largest.
        if self.range and (self.range.decimals or self.range.low < 1 or self.range.size < 10):
            raise NumprobeError(f"range {self.range} must hold 10 or more whole numbers, all above zero")

    @property
    def fingerprint(self) -> str:
        """Part of all ids, so that answers to other questions are not scored by accident.

        It does not depend on the number of passages: asking for more of them keeps the first ones.
        """
        told = repr(replace(self, passages=1)).encode()
        return hashlib.sha256(told).hexdigest()[:6]


def pick(options: Sequence[T], rng: np.random.Generator) -> T:
    """One of the options; ten times faster than numpy's `choice`."""
    return options[int(rng.random() * len(options))]


def shuffled(options: Sequence[T], rng: np.random.Generator) -> list[T]:
    return [options[place] for place in rng.permutation(len(options))]


def around(middle: int, rng: np.random.Generator) -> int:
    """A whole number between half and twice the middle, equally often above and below it."""
    return round(middle * 2 ** rng.uniform(-1, 1))
