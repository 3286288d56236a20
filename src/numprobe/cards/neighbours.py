"""Neighbours: the reference models just above and below."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.analysis.statistics import Paired, compare_all, interval
from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part
from numprobe.experiments import Result


@dataclass(frozen=True)
class Neighbours(CardSection):
    """The nearest reference models, on decoding."""

    name: ClassVar[str] = "neighbours"
    title: ClassVar[str] = "Which models are close to it?"
    place: ClassVar[int] = 80
    rivals: ClassVar[tuple[str, ...]] = ()

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("decoding", "0:999", probe="linear")]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        (asked,) = self.asks(quick)
        own = evidence.own(asked)
        if own is None:
            return Part()
        found = (evidence.of(asked, name) for name in evidence.others if name != evidence.model)
        others = sorted((one for one in found if one and one.lacks == own.lacks), key=lambda one: one.mean)
        above = [one for one in others if one.mean <= own.mean][-1:]
        below = [one for one in others if one.mean > own.mean][:1]
        lines = [_line(one, compare_all([own, one])[0]) for one in (*above, *below)]
        if not above:
            lines.insert(0, "No reference model with the same numbers is better.")
        return Part(lines=lines)


def _line(other: Result, pair: Paired) -> str:
    low, high = interval(other) or (other.mean, other.mean)
    verdict = "can't be told from it" if pair.better is None else "is better" if pair.better is other else "is worse"
    scored = f"{other.metric} {other.mean:.1f} ({low:.1f} to {high:.1f})"
    return f"{other.cell.embedder} {verdict}: {scored} on {other.cell.where}."
