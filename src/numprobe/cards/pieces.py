"""Pieces: how the model cuts numbers, and whether that matters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part
from numprobe.embedders import encoder


@dataclass(frozen=True)
class Pieces(CardSection):
    """Word pieces per number, and the error by their count."""

    name: ClassVar[str] = "pieces"
    title: ClassVar[str] = "How does it cut numbers into pieces?"
    place: ClassVar[int] = 70
    rivals: ClassVar[tuple[str, ...]] = ()

    def applies(self, embedder: Any) -> bool:
        return hasattr(encoder(embedder), "pieces")

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("decoding", "0:999", probe="linear")]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        own = evidence.own(self.asks(quick)[0])
        counts = own.pieces_of() if own else {}
        if own is None or not counts:
            return Part()
        errors: dict[int, list[float]] = {}
        for seed, row in enumerate(own.predictions or ()):
            truths = own.truths(seed)
            for answer, truth in zip(row, truths, strict=True):
                errors.setdefault(counts[truth], []).append(answer - truth)
        lines = [
            f"{sum(count == size for count in counts.values()):,} numbers of {own.cell.where} have {size} "
            f"piece{'' if size == 1 else 's'} each, with an error of {np.sqrt(np.mean(np.square(errors[size]))):.1f}."
            for size in sorted(errors)
        ]
        return Part(lines=lines)
