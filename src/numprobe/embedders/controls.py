"""Controls: an embedder with something taken away, to see what a score is worth.

A control is itself an embedder: `gaussian:of=minilm-l6`. Each shuffle draws its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from numprobe.embedders.base import EVERY_LAYER, Drawn, Reading, is_learned
from numprobe.embedders.registry import EMBEDDERS, encoder
from numprobe.embedders.tables import pinned, vectors_of
from numprobe.errors import NumprobeError
from numprobe.kernels.parameters import Layout, Weights
from numprobe.numbers import generator
from numprobe.registry import text_of


@dataclass(frozen=True)
class Control(Drawn):
    """The vectors of another embedder, changed."""

    name: ClassVar[str]
    is_floor: ClassVar[bool] = True
    at_once: ClassVar[bool] = True
    """All texts are encoded at once: what a control does depends on all of them."""
    deals_alike: ClassVar[bool] = True
    """Numbers that are mentioned twice are dealt out in the same way both times, so that they can be memorised."""

    of: str
    """The embedder, with its settings; quote one with commas."""
    seed: int | None = None

    def __post_init__(self) -> None:
        problem = ""
        if getattr(self.controlled, "layer", "") in EVERY_LAYER:
            problem = "it takes one layer of a model"
        elif getattr(self.controlled, "context", "isolated") != "isolated":
            problem = "it takes numbers on their own, and not in lists"
        problem = problem or self.problem(self.controlled)
        if problem:
            raise NumprobeError(f"there is no {self.name} control of {self.of}: {problem}")

    @classmethod
    def problem(cls, embedder: Any) -> str:
        """Say why an embedder can't have this control; empty if it can."""
        return "it learns with its probe" if is_learned(embedder) else ""

    @cached_property
    def controlled(self) -> Any:
        return encoder(EMBEDDERS.build(self.of))

    @property
    def for_texts(self) -> Self:
        """The control of what the embedder is for tasks about whole texts."""
        whole = getattr(self.controlled, "for_texts", None)
        return self if whole is None else replace(self, of=text_of(whole, self.of))

    @property
    def revision(self) -> str | None:
        return pinned(self.controlled)

    def covers(self, texts: Sequence[str]) -> Any:
        return self.controlled.covers(texts) if hasattr(self.controlled, "covers") else [True] * len(texts)

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_at(texts, ())

    def encode_at(self, texts: list[str], spans: Sequence[tuple[int, int]], layers: bool = False) -> np.ndarray:
        inner = (
            self.controlled.of_shuffle(self.drawn_with) if hasattr(self.controlled, "of_shuffle") else self.controlled
        )
        return self.changed(vectors_of(inner, self.of, texts, spans)[0], generator(self.drawn_with, self.name))

    def changed(self, vectors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """What becomes of the (texts, dimension) vectors."""
        raise NotImplementedError


@dataclass(frozen=True)
class Shuffled(Control):
    """The vectors of another embedder, dealt out anew: better than guessing about held-out numbers is a leak."""

    name: ClassVar[str] = "shuffled"

    @classmethod
    def problem(cls, embedder: Any) -> str:
        return ""

    @property
    def numprobe_encoder(self) -> Any:
        """Itself, or a network that learns from texts that were dealt out anew."""
        return ShuffledReading(self.controlled) if is_learned(self.controlled) else self

    def changed(self, vectors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.permutation(vectors)


@dataclass(frozen=True)
class ShuffledReading:
    """A learned embedder that reads each number as another."""

    embedder: Any

    @property
    def dimension(self) -> int:
        return int(self.embedder.dimension)

    def layout(self) -> Layout:
        layout: Layout = self.embedder.layout()
        return layout

    def read(self, texts: Sequence[str]) -> Reading:
        order = generator(0, Shuffled.name).permutation(len(texts))
        reading: Reading = self.embedder.read([texts[at] for at in order])
        return reading

    def vectors(self, weights: Weights, reading: Reading) -> Any:
        return self.embedder.vectors(weights, reading)


@dataclass(frozen=True)
class Gaussian(Control):
    """Vectors drawn from a Gaussian with the mean and covariance of another embedder's."""

    name: ClassVar[str] = "gaussian"

    def changed(self, vectors: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        own = vectors.astype(np.float64)
        centre = own.mean(axis=0)
        _, sizes, axes = np.linalg.svd(own - centre, full_matrices=False)
        drawn = rng.normal(size=(len(own), len(sizes))) * sizes / np.sqrt(len(own))
        return np.asarray((centre + drawn @ axes).astype(vectors.dtype))


@dataclass(frozen=True)
class Untrained(Control):
    """The architecture of another embedder, with weights as they are before training."""

    name: ClassVar[str] = "untrained"

    @classmethod
    def problem(cls, embedder: Any) -> str:
        return "" if hasattr(embedder, "encode_untrained") else "only transformers have an untrained twin"

    def encode_at(self, texts: list[str], spans: Sequence[tuple[int, int]], layers: bool = False) -> np.ndarray:
        return np.asarray(self.controlled.encode_untrained(texts, self.drawn_with, spans))


def controls_of(embedder: str) -> list[str]:
    """The controls that an embedder can have, by name and settings.

    >>> controls_of("char-cnn:padding=right")
    ['shuffled:of=char-cnn:padding=right']
    """
    made = []
    for name, control in EMBEDDERS.makers.items():
        if not issubclass(control, Control):
            continue
        try:
            made.append(text_of(control(of=embedder), name))
        except NumprobeError:
            continue
    return made
