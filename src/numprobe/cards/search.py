"""Search: whether a query with a number finds the right text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged, Measured, Statement
from numprobe.embedders.bm25 import BM25
from numprobe.embedders.strings import STRINGS
from numprobe.tasks.retrieval import Retrieval

CONDITIONS = {"either": "less or more than a number", "between": "something between two numbers"}
"""What is asked, in words. `either` and not `less` alone: there, a preference for small numbers would do."""


@dataclass(frozen=True)
class NumericSearch(Judged):
    """Numeric retrieval by cosine: can the model be relied on where numbers matter in a search?"""

    name: ClassVar[str] = "search"
    title: ClassVar[str] = "Does a query with a number find the right text?"
    place: ClassVar[int] = 58
    claim: ClassVar[str] = (
        "Its cosines find the text that a query for {asked} asks for, on {where}, unlike shared words"
    )
    rivals: ClassVar[tuple[str, ...]] = (BM25.name, *STRINGS)

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return []
        return [CardQuestion(f"retrieval:condition={own}", "100:999", probe="cosine") for own in CONDITIONS]

    def judge(self, found: Measured) -> Statement:
        task = found.own.cell.parts.task
        assert isinstance(task, Retrieval)
        claim = self.claim.format(asked=CONDITIONS[task.condition], where=found.own.cell.where)
        return Statement(claim, found.beats_strings, found.evidence, self.name)
