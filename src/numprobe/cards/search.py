"""Search: whether a query with a number finds the right text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Judged, Measured, Part, Statement
from numprobe.embedders.bm25 import BM25
from numprobe.embedders.strings import STRINGS

SETTINGS = {
    "less": "condition=less",
    "more": "condition=more",
    "between": "condition=between",
    "exact, in words": "condition=exact,document_form=words",
}
"""What is asked, by what a score is called."""

FINDINGS = {
    "a number under or over that of the query": ("less", "more"),  # who always prefers the smaller one wins only once
    "a number between two of the query": ("between",),
    "the number of the query in words": ("exact, in words",),
}
"""What a text that is found has, and the questions that show it together."""


@dataclass(frozen=True)
class NumericSearch(Judged):
    """Numeric retrieval by cosine: can the model be relied on where numbers matter in a search?"""

    name: ClassVar[str] = "search"
    title: ClassVar[str] = "Does a query with a number find the right text?"
    place: ClassVar[int] = 58
    claim: ClassVar[str] = "Its cosines find the text with {what}, more often than shared words do"
    use: ClassVar[str] = "Of two texts, the one with {what} has the larger cosine"
    rivals: ClassVar[tuple[str, ...]] = (BM25.name, *STRINGS)

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return []
        return [
            CardQuestion(f"retrieval:{own}", "100:999", probe="cosine", title=title) for title, own in SETTINGS.items()
        ]

    def tell(self, measured: Sequence[Measured]) -> Part:
        shown = {found.asked.title: found for found in measured}
        found = {
            what: [shown[title] for title in titles]
            for what, titles in FINDINGS.items()
            if all(title in shown for title in titles)
        }
        return Part(
            [_together([self.judge(one, what=what) for one in those], those) for what, those in found.items()],
            measured,
            uses=[_together([self.relied_on(one, what=what) for one in those], those) for what, those in found.items()],
        )


def _together(own: Sequence[Statement], those: Sequence[Measured]) -> Statement:
    """One statement, which holds if it does in every question."""
    told = "; ".join(f"{one.asked.title}: {each.evidence}" for one, each in zip(those, own, strict=True))
    return replace(own[0], holds=all(each.holds for each in own), evidence=told)
