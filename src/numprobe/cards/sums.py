"""Sums: what the vectors of two numbers say about their sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged


@dataclass(frozen=True)
class Sums(Judged):
    """Addition."""

    name: ClassVar[str] = "sums"
    title: ClassVar[str] = "Can sums be read from two vectors?"
    place: ClassVar[int] = 20
    claim: ClassVar[str] = "Two of its vectors tell the sum of numbers on {where} more exactly than their texts do"
    use: ClassVar[str] = "The sum of two numbers on {where} can be read from their vectors to within 10 %"
    use_metric: ClassVar[str] = "within-10-percent"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return [CardQuestion("addition", "0:99", probe="linear", seeds=5)]
        return [CardQuestion("addition", "0:99"), CardQuestion("addition", "0:999")]
