"""The two kinds of embedders: those that are fixed, and those that learn with the probe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from numprobe.errors import NumprobeError, one_of
from numprobe.kernels.parameters import Layout, Weights

if TYPE_CHECKING:
    import torch
    from torch import Tensor

CONTEXTS = ("isolated", "in_list")
"""What a number is read with: nothing, or the rest of its list or pair, as one sequence."""

WIDEST = 1 << 16
"""The largest dimension that a setting may ask for."""

BATCH = 4096
"""Texts handed to an embedder at once."""


class Embedder(Protocol):
    """Text in, vectors out: the signature that sentence-transformers users know.

    An embedder may also have `covers(texts)` (which of them it knows), `pieces(texts)` (how it cuts them up),
    `encode_layers(texts)` (layers, texts, dimension), `encode_in_list(lists)` (lists, arity, dimension), and a
    `revision` that tells its weights from others, under which its vectors are then cached.
    """

    def encode(self, texts: list[str]) -> Any:
        """Vectors of the texts, (texts, dimension): an array or anything that NumPy turns into one."""


@dataclass(frozen=True)
class Reading:
    """What a network over characters needs to know of some texts."""

    alphabet: "Tensor"
    """The distinct characters, as rows of the network's character embeddings."""
    tensors: "tuple[Tensor, ...]"
    """What it reads: each (texts, …), or (datasets, n, …) once `take` has laid them out."""

    def take(self, rows: "Tensor") -> "Reading":
        return Reading(self.alphabet, tuple(tensor[rows] for tensor in self.tensors))

    def to(self, device: "torch.device") -> "Reading":
        return Reading(self.alphabet.to(device), tuple(tensor.to(device) for tensor in self.tensors))


class LearnedEmbedder(Protocol):
    """A network over characters that is trained together with the probe."""

    @property
    def dimension(self) -> int: ...

    def layout(self) -> Layout:
        """Its weights."""

    def read(self, texts: Sequence[str]) -> Reading:
        """The texts as tensors."""

    def vectors(self, weights: Weights, reading: Reading) -> "Tensor":
        """(probes, n, dimension) vectors for a reading that is laid out by datasets."""


@dataclass(frozen=True)
class FunctionEmbedder:
    """Any function `list[str] -> array` as an embedder.

    >>> FunctionEmbedder(lambda texts: [[len(text)] for text in texts]).encode(["7", "75"])
    [[1], [2]]
    """

    function: Callable[[list[str]], Any]

    def encode(self, texts: list[str]) -> Any:
        return self.function(texts)


def is_learned(embedder: Any) -> bool:
    """Whether it learns with the probe: it has a network's `layout`, and no `encode`."""
    return hasattr(embedder, "layout") and not hasattr(embedder, "encode")


def encode(embedder: Embedder, texts: Sequence[str], name: str) -> np.ndarray:
    """The vectors of all texts, (texts, dimension), as one checked float32 array."""
    return _checked(embedder.encode, texts, name, layers=False)


def encode_layers(embedder: Any, texts: Sequence[str], name: str) -> np.ndarray:
    """The vectors of all texts in every layer, (layers, texts, dimension), as one checked float32 array."""
    return _checked(embedder.encode_layers, texts, name, layers=True)


def coverage(embedder: Any, texts: Sequence[str], name: str, numbers: str) -> np.ndarray:
    """Which texts an embedder has, all of them where it does not say; one that has none is refused."""
    has = np.asarray(embedder.covers(texts) if hasattr(embedder, "covers") else [True] * len(texts), dtype=bool)
    if not has.any():
        raise NumprobeError(f"{name} has none of the {len(has)} numbers of {numbers}, such as {texts[0]!r}")
    return has


def cut(embedder: Any, texts: Sequence[str], name: str) -> list[list[str]] | None:
    """The word pieces of each text, or None where an embedder has no such thing."""
    if not hasattr(embedder, "pieces"):
        return None
    found = [list(pieces) for pieces in embedder.pieces(list(texts))]
    if len(found) != len(texts):
        raise NumprobeError(f"embedder {name!r} returned the pieces of {len(found)} texts, not of {len(texts)}")
    return found


def check_context(context: str, layer: str) -> None:
    """Refuse a context that there isn't, and several layers of a list."""
    one_of("context", context, CONTEXTS)
    if context == "in_list" and layer in ("all", "mix"):
        raise NumprobeError(f"layer={layer} is for numbers on their own; in_list takes one layer")


def _checked(function: Callable[[list[str]], Any], texts: Sequence[str], name: str, layers: bool) -> np.ndarray:
    parts: list[np.ndarray] = []
    for start in range(0, len(texts), BATCH):
        batch = list(texts[start : start + BATCH])
        try:
            part = np.asarray(function(batch), dtype=np.float32)
        except (TypeError, ValueError) as error:
            if isinstance(error, NumprobeError):
                raise
            raise NumprobeError(f"embedder {name!r} did not return a rectangular array of numbers: {error}") from error
        if part.ndim != 2 + layers or part.shape[-2] != len(batch):
            wanted = f"({'layers, ' if layers else ''}{len(batch)}, dimension)"
            raise NumprobeError(f"embedder {name!r} returned shape {part.shape} for {len(batch)} texts, not {wanted}")
        if parts and part.shape[-1] != parts[0].shape[-1]:
            raise NumprobeError(
                f"embedder {name!r} changed its dimension from {parts[0].shape[-1]} to {part.shape[-1]}"
            )
        finite = np.isfinite(part).all(axis=-1)
        if not finite.all():
            first = batch[int(np.argwhere(~finite)[0, -1])]
            raise NumprobeError(f"embedder {name!r} returned NaN or infinity, first for {first!r}")
        parts.append(part)
    return np.concatenate(parts, axis=-2)
