"""Forms: whether the model also knows numbers in words, below zero, and with a decimal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged
from numprobe.embedders.bm25 import BM25
from numprobe.embedders.strings import SIGNED_STRINGS


@dataclass(frozen=True)
class OtherForms(Judged):
    """Decoding of other forms."""

    name: ClassVar[str] = "forms"
    title: ClassVar[str] = "Does it know other ways to write numbers?"
    place: ClassVar[int] = 50
    claim: ClassVar[str] = "It holds values on {where} more exactly than the text does"
    use: ClassVar[str] = "A value on {where} can be read from its vector to within 10 %"
    use_metric: ClassVar[str] = "within-10-percent"
    rivals: ClassVar[tuple[str, ...]] = (BM25.name, *SIGNED_STRINGS)  # texts also give away their words and signs

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        words = CardQuestion("decoding", "0:99", "words", probe="linear")
        if quick:
            return [words]
        return [
            words,
            CardQuestion("decoding", "-100:100", probe="linear"),
            CardQuestion("decoding", "0.0:99.9", probe="linear"),
        ]
