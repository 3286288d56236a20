"""Transfer: whether what is learned about digits holds for number words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged, Measured, Statement

SHARE = 0.9
"""The error has to be below this share of guessing's: strings may be worse than guessing."""


@dataclass(frozen=True)
class AcrossForms(Judged):
    """Decoding of number words after learning from digits alone."""

    name: ClassVar[str] = "transfer"
    title: ClassVar[str] = "Is a number in words the same to it?"
    place: ClassVar[int] = 55
    claim: ClassVar[str] = "What a probe learns about its digits holds for its number words, on {where}"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("decoding", "0:999", "digits", "linear", test_form="words")]

    def judge(self, found: Measured) -> Statement:
        claim = super().judge(found)
        guess = found.own.guessing
        holds = claim.holds and guess is not None and found.own.mean < SHARE * guess
        return Statement(claim.statement, holds, claim.evidence, claim.section)
