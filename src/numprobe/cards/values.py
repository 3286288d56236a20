"""Values: how exactly a probe reads a number from its vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numprobe.cards.base import CardQuestion, Evidence, Judged, Measured, Part, Statement

NEAR = "within-1-percent"
SHARE = 0.95
"""A range can be relied on if this share of its numbers is read to within 1 %."""


@dataclass(frozen=True)
class Values(Judged):
    """Decoding, and the ranges on which the model can be relied on."""

    name: ClassVar[str] = "values"
    title: ClassVar[str] = "Can values be read from its vectors?"
    place: ClassVar[int] = 10
    claim: ClassVar[str] = "It holds values on {where} more exactly than the text does"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        linear = [CardQuestion("decoding", numbers, probe="linear") for numbers in ("0:99", "0:999")]
        if quick:
            return linear
        return [CardQuestion("decoding", "0:99"), CardQuestion("decoding", "0:999"), *linear]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        part = super().read(evidence, quick)
        default = [found for found in part.measured if quick or found.own.cell.uses_default_probe]
        return Part(
            [self.judge(found) for found in default] + [self.relied_on(found) for found in default], part.measured
        )

    def relied_on(self, found: Measured) -> Statement:
        """Whether nearly all values are right to within 1 %, and a string does not do the same."""
        share = found.own.rescored(NEAR).mean
        where = found.own.cell.where
        claim = (
            f"Its values on {where} can be relied on: {100 * SHARE:.0f} % are right to within 1 %, unlike a string's"
        )
        told = f"{100 * share:.0f} % of the held-out numbers are read to within 1 %"
        if found.string:
            told += (
                f"; from the best string ({found.string.cell.embedder}) {100 * found.string.rescored(NEAR).mean:.0f} %"
            )
        return Statement(claim, share >= SHARE and found.beats_strings, told, self.name)
