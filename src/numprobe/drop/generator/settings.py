"""What to generate."""

from dataclasses import dataclass

from numprobe.drop.generator.facts import KINDS, Kind
from numprobe.drop.generator.language import DOMAINS, domain
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import Range

FACTS, DISTRACTORS = (6, 40), (0, 40)
"""With fewer facts there is nothing to compare; with more of either, a passage has a thousand words."""
LEAST_RANGE = 10
"""Fewer different numbers than this would make most facts equal, and no fact the largest."""


@dataclass(frozen=True)
class Settings:
    """Numbers of facts and distractors are in the middle: a passage has between half and twice as many."""

    passages: int = 100
    questions: int = 16
    """At most so many per passage; a short passage may carry fewer different ones."""
    domains: tuple[str, ...] = DOMAINS
    """Passages take turns."""
    kinds: tuple[Kind, ...] = KINDS
    """Types of questions."""
    range: Range | None = None
    """Of all quantities, also irrelevant ones; percentages, dates and scores keep theirs. None: each its usual one."""
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
        for name in self.domains:
            one_of("domain", name, DOMAINS)
        for kind in self.kinds:
            one_of("question type", kind, KINDS)
        for name in self.domains:
            if not any(domain(name).asks[kind] for kind in self.kinds):
                raise NumprobeError(f"domain '{name}' has no questions of type {', '.join(self.kinds)}: leave it out")
        _between("facts", FACTS, self.facts)
        _between("distractors", DISTRACTORS, self.distractors)
        _between("words", (0, 1), self.words)
        if self.range and (self.range.decimals or self.range.low < 1 or self.range.size < LEAST_RANGE):
            raise NumprobeError(f"range {self.range} must hold {LEAST_RANGE} or more whole numbers, all above zero")


def _between(name: str, limits: tuple[int, int], value: float) -> None:
    low, high = limits
    if not low <= value <= high:
        raise NumprobeError(f"{name} must lie between {low} and {high}, not {value}")
