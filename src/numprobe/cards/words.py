"""Words: what a language model says when it is asked the same questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from numprobe.analysis.statistics import interval
from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part
from numprobe.embedders import encoder
from numprobe.experiments import Result
from numprobe.tasks import Answer


@dataclass(frozen=True)
class InWords(CardSection):
    """Questions in words, after four answered examples."""

    name: ClassVar[str] = "words"
    title: ClassVar[str] = "What does it say when it is asked in words?"
    place: ClassVar[int] = 75
    rivals: ClassVar[tuple[str, ...]] = ()  # a text alone says nothing

    def applies(self, embedder: Any) -> bool:
        return bool(getattr(encoder(embedder), "speaks", False)) and getattr(embedder, "layer", "last") == "last"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return [CardQuestion("addition", "0:99", probe="prompt:shots=4,most_items=10", seeds=2)]
        return [
            CardQuestion(task, numbers, form, "prompt:shots=4")
            for task, numbers, form in (
                ("list-maximum", "0:99", ""),
                ("addition", "0:99", ""),
                ("comparison", "1:999", ""),
                ("decoding", "0:999", "words"),
            )
        ]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        found = (evidence.own(asked) for asked in self.asks(quick))
        return Part(lines=[_told(result) for result in found if result is not None])


def _told(result: Result) -> str:
    """The share of right answers in one line, and what became of the others."""
    shares = result if result.cell.parts.task.answer is Answer.CHOICE else result.rescored("exact")
    between = interval(shares)
    sure = f" ({_percent(max(between[0], 0))} to {_percent(min(between[1], 1))})" if between else ""
    spread = [np.mean([choice["right"][one] for choice in result.choices]) for one in result.choices[0]["right"]]
    told = [
        f"{result.cell.task} on {result.cell.where}: {_percent(shares.mean)}{sure} right",
        f"{_percent(min(spread))} to {_percent(max(spread))} in the worst and the best of {len(spread)} phrasings",
        f"{_percent(np.mean([choice['unreadable'] for choice in result.choices]))} of the answers are not a number",
    ]
    if "likeliest" in result.choices[0]:
        likeliest = np.mean([choice["likeliest"] for choice in result.choices])
        told.append(f"the right answer is the likeliest of a few candidates in {_percent(likeliest)}")
    return f"{'; '.join(told)}."


def _percent(share: float | np.floating[Any]) -> str:
    return f"{100 * share:.0f} %"
