"""What to generate."""

from dataclasses import dataclass

from numprobe.drop.generator.facts import KINDS, Kind
from numprobe.drop.generator.language import DOMAINS, domain
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import Range

FEWEST_FACTS, MOST_FACTS = 6, 40
"""With fewer there is nothing to compare; with more, a passage has a thousand words."""
LEAST_RANGE = 10
"""Fewer different numbers than this would make most facts equal, and no fact the largest."""


@dataclass(frozen=True)
class Settings:
    """Numbers of facts and distractors are means: a passage has between half and one and a half times as many."""

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
    facts: int = 13
    """About 12 words each."""
    distractors: int = 4
    """Sentences that no question is about."""
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, passages=self.passages, questions=self.questions, domains=len(self.domains), kinds=len(self.kinds))
        at_least(0, distractors=self.distractors, seed=self.seed)
        for name in self.domains:
            one_of("domain", name, DOMAINS)
        for kind in self.kinds:
            one_of("question type", kind, KINDS)
        for name in self.domains:
            if not any(domain(name).asks[kind] for kind in self.kinds):
                raise NumprobeError(f"domain '{name}' has no questions of type {', '.join(self.kinds)}: leave it out")
        if not FEWEST_FACTS <= self.facts <= MOST_FACTS:
            raise NumprobeError(f"facts must lie between {FEWEST_FACTS} and {MOST_FACTS}, not {self.facts}")
        if not 0 <= self.words <= 1:
            raise NumprobeError(f"words is a share and must lie between 0 and 1, not {self.words}")
        if self.range and (self.range.decimals or self.range.low < 1 or self.range.size < LEAST_RANGE):
            raise NumprobeError(f"range {self.range} must hold {LEAST_RANGE} or more whole numbers, all above zero")
