"""Ratios: how close two numbers may be and still be told apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from numprobe.analysis.weber import weber_fractions, weber_interval
from numprobe.cards.base import QUICK_LISTS, CardQuestion, Evidence, Judged, Part


@dataclass(frozen=True)
class Ratios(Judged):
    """Comparison by ratio, and the Weber fraction."""

    name: ClassVar[str] = "ratios"
    title: ClassVar[str] = "How close may two numbers be?"
    place: ClassVar[int] = 40
    picture: ClassVar[str] = "ratio"
    claim: ClassVar[str] = "Its vectors tell the larger of two numbers on {where} more often than their texts do"
    use: ClassVar[str] = "The larger of two numbers on {where} can be told from their vectors"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        if quick:
            return [CardQuestion("comparison:train_pairs=20000,test_pairs=2000", "1:999", probe=QUICK_LISTS, seeds=3)]
        return [CardQuestion("comparison", "1:999")]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        part = super().read(evidence, quick)
        lines = []
        for found in part.measured:
            fractions = weber_fractions(found.own)
            middle = math.exp(math.fsum(map(math.log, fractions)) / len(fractions)) if fractions else math.nan
            between = weber_interval(found.own)
            sure = f" ({between[0]:.2g} to {between[1]:.2g})" if between else ""
            lines.append(f"Its Weber fraction is {middle:.2g}{sure}: the blur of a number, in parts of its size.")
        shown = [result for found in part.measured for result in (found.own, found.string) if result is not None]
        return replace(part, lines=[*part.lines, *lines], pictured=shown)
