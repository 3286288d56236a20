"""Values: how exactly a probe reads a number from its vector, and on which ranges that is exact enough."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Evidence, Judged, Part

NEAR = "within-10-percent"


@dataclass(frozen=True)
class Values(Judged):
    """Decoding, and the ranges on which the model can be relied on."""

    name: ClassVar[str] = "values"
    title: ClassVar[str] = "Can values be read from its vectors?"
    place: ClassVar[int] = 10
    claim: ClassVar[str] = "It holds values on {where} more exactly than the text does"
    use: ClassVar[str] = "A value on {where} can be read from its vector to within 10 %"
    use_metric: ClassVar[str] = NEAR

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        linear = [CardQuestion("decoding", numbers, probe="linear") for numbers in ("0:99", "0:999")]
        if quick:
            return linear
        return [CardQuestion("decoding", "0:99"), CardQuestion("decoding", "0:999"), *linear]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        part = super().read(evidence, quick)
        told = self.tell([found for found in part.measured if quick or found.own.cell.uses_default_probe])
        ranges = {own.statement: found.own.cell.where for own, found in zip(told.uses, told.measured, strict=True)}
        relied = [ranges[own.statement] for own in told.uses if own.holds]
        reach = f"on {' and '.join(relied)}" if relied else f"neither on {' nor on '.join(ranges.values())}"
        line = f"Its values can be relied on to within 10 % {reach}."
        return replace(told, measured=part.measured, lines=[line, *told.lines] if ranges else told.lines)
