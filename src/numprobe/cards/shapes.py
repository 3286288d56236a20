"""Shapes: what each family of probes finds, layer by layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part
from numprobe.embedders import every_layer
from numprobe.experiments import Cell, Result
from numprobe.probes import families

EXACT, ERROR = "exact", "normalised-error"


@dataclass(frozen=True)
class Shapes(CardSection):
    """Decoding with every probe that is solved, from every layer: `numprobe layers MODEL --solved`."""

    name: ClassVar[str] = "shapes"
    title: ClassVar[str] = "In which shape does it hold numbers?"
    place: ClassVar[int] = 65
    picture: ClassVar[str] = "families"

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        return [] if quick else [CardQuestion("decoding", "0:999", probe=name, seeds=5) for name in families(True)]

    def cells(self, embedder: Any, name: str, quick: bool) -> list[Cell]:
        return [asked.of(every_layer(embedder), name) for asked in self.asks(quick)]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        lines, shown = [], []
        for asked in self.asks(quick):
            found = evidence.load(asked.of(every_layer(evidence.embedder), evidence.model))
            if found is None or EXACT not in found.more:
                continue
            strings = [own for name in self.rivals if (own := evidence.of(asked, name)) is not None]
            lines.append(_line(found.by_layer()[-1], strings))
            shown += [found, *strings]
        return Part(lines=lines, pictured=shown)


def _line(own: Result, strings: Sequence[Result]) -> str:
    """What a probe finds, in the layer that development numbers choose, and what it finds in strings at best."""
    layers = sorted({choice["layer"] for choice in own.choices if "layer" in choice})
    where = f" (layer{'s' * (len(layers) > 1)} {', '.join(map(str, layers))})" if layers else ""
    told = f"{own.cell.probe}{where}: {_told(_exact(own), _error(own))}"
    best = f"; strings at best: {_told(max(map(_exact, strings)), min(map(_error, strings)))}" if strings else ""
    return f"{told}{best}."


def _told(exact: float, error: float) -> str:
    return f"{100 * exact:.1f} % of held-out numbers exactly right, {error:.2f} times the error of guessing"


def _exact(result: Result) -> float:
    return float(np.mean(result.more[EXACT]))


def _error(result: Result) -> float:
    return float(np.mean(result.more[ERROR]))
