"""Depth: which layer holds the most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numprobe.analysis.statistics import compare_all
from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part, Statement
from numprobe.embedders import encoder, every_layer
from numprobe.experiments import Cell


@dataclass(frozen=True)
class Depth(CardSection):
    """Decoding from every layer."""

    name: ClassVar[str] = "layers"
    title: ClassVar[str] = "Which layer holds the most?"
    place: ClassVar[int] = 60
    picture: ClassVar[str] = "layers"
    rivals: ClassVar[tuple[str, ...]] = ()

    def applies(self, embedder: Any) -> bool:
        return hasattr(encoder(embedder), "encode_layers") and getattr(embedder, "layer", "") == "last"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [CardQuestion("decoding", "0:999", probe="linear", seeds=5 if quick else None)]

    def cells(self, embedder: Any, name: str, quick: bool) -> list[Cell]:
        return [asked.of(every_layer(embedder), name) for asked in self.asks(quick)]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        found = evidence.load(self.asks(quick)[0].of(every_layer(evidence.embedder), evidence.model))
        if found is None:
            return Part()
        *layers, best = found.by_layer()
        last = layers[-1]
        (pair,) = compare_all([best, last])
        chosen = [choice["layer"] for choice in best.choices]
        told = (
            f"the layer that development numbers choose ({', '.join(map(str, sorted(set(chosen))))}) has {best.metric} "
            f"{best.mean:.1f}, the last one {last.mean:.1f}"
        )
        statement = Statement(
            "An inner layer holds values more exactly than the last", pair.better is best, told, self.name
        )
        return Part(uses=[statement], pictured=[found])
