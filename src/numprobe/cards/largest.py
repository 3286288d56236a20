"""The largest: which of five numbers it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import QUICK_LISTS, CardQuestion, Judged


@dataclass(frozen=True)
class Largest(Judged):
    """List maximum."""

    name: ClassVar[str] = "largest"
    title: ClassVar[str] = "Is the largest of five numbers found?"
    place: ClassVar[int] = 30
    claim: ClassVar[str] = "Its vectors tell the largest of five numbers on {where} more often than their texts do"
    use: ClassVar[str] = "The largest of five numbers on {where} can be told from their vectors"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            task = "list-maximum:train_lists=20000,test_lists=2000"
            return [CardQuestion(task, "0:99", probe=QUICK_LISTS, seeds=3)]
        return [CardQuestion("list-maximum", "0:99"), CardQuestion("list-maximum", "0:999")]
