"""What is probed: text in, vectors out."""

from typing import Any

from numprobe.embedders.base import Embedder, FunctionEmbedder, LearnedEmbedder, Reading, encode, is_learned
from numprobe.embedders.baselines import RandomVectors, Value
from numprobe.embedders.characters import CharCNN, CharLSTM, UntrainedCNN, UntrainedLSTM
from numprobe.specs import Spec, build

EMBEDDERS: dict[str, type[Any]] = {
    "random": RandomVectors,
    "untrained-cnn": UntrainedCNN,
    "untrained-lstm": UntrainedLSTM,
    "value": Value,
    "char-cnn": CharCNN,
    "char-lstm": CharLSTM,
}
"""Name -> dataclass whose fields are the embedder's settings."""


def load_embedder(name: str, **settings: Any) -> Any:
    """An embedder by name, with `encode` unless it learns with the probe.

    >>> load_embedder("value", scale="raw").encode(["75"]).tolist()
    [[75.0]]
    """
    spec = Spec.parse(name)
    given = dict(spec.settings) | {key: str(value) for key, value in settings.items()}
    return build("embedder", EMBEDDERS, Spec(spec.name, tuple(sorted(given.items()))))


__all__ = [
    "EMBEDDERS",
    "Embedder",
    "FunctionEmbedder",
    "LearnedEmbedder",
    "Reading",
    "encode",
    "is_learned",
    "load_embedder",
]
