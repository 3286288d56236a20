"""Nearness: whether numbers that are close have vectors that are close, without any training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged


@dataclass(frozen=True)
class Nearness(Judged):
    """The nearest of five numbers, by cosine: what a search or a clustering makes of numbers."""

    name: ClassVar[str] = "nearness"
    title: ClassVar[str] = "Are close numbers close to it?"
    place: ClassVar[int] = 45
    claim: ClassVar[str] = (
        "Its cosines tell which of five numbers on {where} is nearest, more often than their texts do"
    )
    use: ClassVar[str] = "The nearest of five numbers on {where} has the largest cosine"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("nearest", numbers, seeds=20) for numbers in ("0:99", "0:999")]
