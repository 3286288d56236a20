"""Forms: whether the model also knows numbers in words, below zero, and with a decimal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged


@dataclass(frozen=True)
class OtherForms(Judged):
    """Decoding of other forms."""

    name: ClassVar[str] = "forms"
    title: ClassVar[str] = "Does it know other ways to write numbers?"
    place: ClassVar[int] = 50
    claim: ClassVar[str] = "It holds values on {where} more exactly than the text does"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        words = CardQuestion("decoding", "0:99", "words", probe="linear")
        if quick:
            return [words]
        return [
            words,
            CardQuestion("decoding", "-100:100", probe="linear"),
            CardQuestion("decoding", "0.0:99.9", probe="linear"),
        ]
