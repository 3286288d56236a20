"""Transfer: whether 75 and seventy-five are the same number to the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged


@dataclass(frozen=True)
class AcrossForms(Judged):
    """Decoding of number words after learning from digits alone."""

    name: ClassVar[str] = "transfer"
    title: ClassVar[str] = "Does what is learned about digits hold for words?"
    place: ClassVar[int] = 55
    claim: ClassVar[str] = "What a probe learns about its digits holds for its number words, on {where}"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("decoding", "0:99", "digits", "linear", test_form="words")]


@dataclass(frozen=True)
class SameNumber(Judged):
    """Numeration by cosine: which of five words is 75?"""

    name: ClassVar[str] = "same"
    title: ClassVar[str] = "Is seventy-five the same as 75 to it?"
    place: ClassVar[int] = 54
    claim: ClassVar[str] = "Its cosines find a number on {where} among five words, more often than their texts do"
    use: ClassVar[str] = "Of five number words, that of a number on {where} has the largest cosine with it"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("numeration", "0:99", seeds=20)]
