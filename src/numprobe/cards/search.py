"""Search: whether a query with a number finds the right text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numprobe.cards.base import CardQuestion, Judged, Measured, Statement
from numprobe.embedders import encoder
from numprobe.embedders.bm25 import BM25
from numprobe.embedders.strings import STRINGS

CONDITIONS = {
    "a number under or over that of the query": "either",  # who always prefers the smaller one is right half the time
    "a number between two of the query": "between",
    "the number of the query in words": "exact,document_form=words",
}
"""What the text has that is to be found, and the condition that asks for it."""


@dataclass(frozen=True)
class NumericSearch(Judged):
    """Numeric retrieval by cosine, beside shared words (BM25) and the strings."""

    name: ClassVar[str] = "search"
    title: ClassVar[str] = "Does a query with a number find the right text?"
    place: ClassVar[int] = 58
    claim: ClassVar[str] = "Its cosines find the text with {what}, more often than shared words do"
    use: ClassVar[str] = "Of two texts, the one with {what} has the larger cosine"
    rivals: ClassVar[tuple[str, ...]] = (BM25.name, *STRINGS)

    def applies(self, embedder: Any) -> bool:
        """Whether it reads sentences: a list of texts with their vectors has none of them."""
        own = encoder(embedder)
        return hasattr(own, "for_texts") or not hasattr(own, "covers")

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return []
        return [
            CardQuestion(f"retrieval:condition={condition}", "100:999", probe="cosine", title=what)
            for what, condition in CONDITIONS.items()
        ]

    def judge(self, found: Measured, **words: str) -> Statement:
        return super().judge(found, what=found.asked.title)

    def relied_on(self, found: Measured, **words: str) -> Statement:
        return super().relied_on(found, what=found.asked.title)
