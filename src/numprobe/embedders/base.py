"""The two kinds of embedders: fixed ones, and those that learn with the probe."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from numprobe.errors import NumprobeError, one_of
from numprobe.files.reading import tell
from numprobe.kernels.parameters import Layout, Weights

if TYPE_CHECKING:
    import torch
    from torch import Tensor

CONTEXTS = ("isolated", "in_list")
"""A number is read on its own, or in one sequence with the rest of its list or pair."""

EVERY_LAYER = ("all", "best")
"""Settings of an embedder's `layer` that ask for the vectors of every layer."""

WIDEST = 1 << 16
"""The largest dimension that a setting may ask for."""

MANY = 50_000
"""With more texts than this, it is worth telling how far the encoding is."""

BATCH = 4096
"""Texts that are passed to an embedder at once."""

BATCH_BYTES = 80 << 20
"""The most that the vectors of a batch may take, where an embedder says how many bytes a text takes."""

Allocate = Callable[[tuple[int, ...]], np.ndarray]
"""Makes room for single-precision vectors of a shape, such as in a file."""


class Embedder(Protocol):
    """Text in, vectors out: the signature that sentence-transformers users know.

    An embedder may also have `covers(texts)` (which texts it knows), `pieces(texts)` (how it splits them),
    `encode_layers(texts)` (layers, texts, dimension) and with it `bytes_per_text` (which bounds how many texts are
    encoded at once), `encode_in_list(lists)` (lists, arity, dimension),
    `encode_at(texts, spans, layers)` (either shape, read where the number stands in its sentence),
    `of_shuffle(shuffle)` (an embedder of that shuffle alone), and a `revision` that identifies its weights; vectors of
    an embedder with a revision are cached. Raise its `version`, 1 by default, when the same weights give other vectors.
    One with `of_numbers` reads numbers alone, also where they stand in sentences; one with `encode_values(values)`
    takes their values. One with `is_floor` is there for others to beat: tables show it last, and equal vectors are no
    surprise.

    >>> import numpy as np, numprobe
    >>> class Lengths:
    ...     def encode(self, texts):
    ...         return np.array([[len(text), text.count("1")] for text in texts])
    >>> numprobe.probe(Lengths(), numbers="0:99", probe="linear")
    <Results: 1 result>
    """

    def encode(self, texts: list[str]) -> Any:
        """Return (texts, dimension) vectors, as an array or anything that NumPy can convert to one."""


@dataclass(frozen=True)
class Reading:
    """Texts as tensors, for a network over characters.

    >>> import torch
    >>> reading = Reading(torch.tensor([48, 49]), (torch.tensor([[0, 1], [1, 1], [1, 0]]),))
    >>> reading.take(torch.tensor([[2, 0]])).tensors[0].tolist()
    [[[1, 0], [0, 1]]]
    """

    alphabet: "Tensor"
    """The distinct characters, as rows of the network's character embeddings."""
    tensors: "tuple[Tensor, ...]"
    """The network's inputs: each is (texts, …), or (datasets, n, …) after `take`."""

    def take(self, rows: "Tensor") -> "Reading":
        return Reading(self.alphabet, tuple(tensor[rows] for tensor in self.tensors))

    def to(self, device: "torch.device") -> "Reading":
        return Reading(self.alphabet.to(device), tuple(tensor.to(device) for tensor in self.tensors))


class LearnedEmbedder(Protocol):
    """A network over characters that is trained together with the probe.

    >>> from numprobe.embedders import load_embedder
    >>> network = load_embedder("char-cnn", filters=3)
    >>> is_learned(network), network.dimension
    (True, 12)
    """

    @property
    def dimension(self) -> int: ...

    def layout(self) -> Layout:
        """The weights of the network."""

    def read(self, texts: Sequence[str]) -> Reading:
        """Convert texts to tensors."""

    def vectors(self, weights: Weights, reading: Reading) -> "Tensor":
        """Return (probes, n, dimension) vectors of a reading after `take`."""


@dataclass(frozen=True)
class FunctionEmbedder:
    """An embedder from a function `list[str] -> array`.

    >>> FunctionEmbedder(lambda texts: [[len(text)] for text in texts]).encode(["7", "75"])
    [[1], [2]]
    """

    function: Callable[[list[str]], Any]

    def encode(self, texts: list[str]) -> Any:
        return self.function(texts)


class Drawn:
    """An embedder that is drawn at random: anew for each shuffle, unless its seed is given."""

    seed: int | None

    @property
    def drawn_with(self) -> int:
        """The seed, which is 0 outside of any shuffle."""
        return self.seed or 0

    def of_shuffle(self, shuffle: int) -> Self:
        """The embedder of one shuffle: this one, if its seed is given."""
        return replace(self, seed=shuffle) if self.seed is None else self  # type: ignore[type-var]


def is_learned(embedder: Any) -> bool:
    """Whether an embedder learns with the probe: it has a `layout` and no `encode`.

    >>> from numprobe.embedders import load_embedder
    >>> is_learned(load_embedder("char-cnn")), is_learned(load_embedder("untrained-cnn"))
    (True, False)
    """
    return hasattr(embedder, "layout") and not hasattr(embedder, "encode")


def encode(
    embedder: Any,
    texts: Sequence[str],
    name: str,
    layers: bool = False,
    spans: Sequence[tuple[int, int]] = (),
    allocate: Allocate | None = None,
) -> np.ndarray:
    """Return the vectors of all texts, (texts, dimension) or (layers, texts, dimension), as a checked array.

    With `spans`, an embedder that has `encode_at` reads each text there. Double precision stays, since large numbers
    need it; anything else becomes float32. With `allocate`, vectors go to where it makes room, batch by batch.

    >>> encode(FunctionEmbedder(lambda texts: [[len(text)] for text in texts]), ["7", "75"], "lengths").tolist()
    [[1.0], [2.0]]
    """
    room: np.ndarray | None = None
    done = 0
    for part in _batches(embedder, texts, name, layers, spans):
        if room is None:
            shape = (*part.shape[:-2], len(texts), part.shape[-1])
            room = allocate(shape) if allocate else np.empty(shape, part.dtype)
        if not allocate:
            room = room.astype(np.result_type(room, part), copy=False)
        room[..., done : done + part.shape[-2], :] = part
        done += part.shape[-2]
        del part  # before the next batch is made: a batch of all layers is large
    assert room is not None
    return room


def _batches(
    embedder: Any, texts: Sequence[str], name: str, layers: bool, spans: Sequence[tuple[int, int]]
) -> Iterator[np.ndarray]:
    """The checked vectors of one batch of texts after another."""
    function = embedder.encode_layers if layers else embedder.encode
    reads_at = bool(spans) and hasattr(embedder, "encode_at")
    size = len(texts) if getattr(embedder, "at_once", False) else BATCH
    if layers and hasattr(embedder, "bytes_per_text"):
        size = max(1, min(size, BATCH_BYTES // embedder.bytes_per_text))
    dimension = None
    for start in range(0, len(texts), size):
        batch = list(texts[start : start + size])
        try:
            made = embedder.encode_at(batch, spans[start : start + size], layers) if reads_at else function(batch)
        except Exception as error:  # the user's own: it arrives as it is
            if not getattr(error, "__notes__", ()):
                error.add_note(f"while {name!r} was encoding {len(batch)} texts from {batch[0]!r} to {batch[-1]!r}")
            raise
        try:
            given = _array(made)
            is_double = given.dtype.kind in "fiu" and given.dtype.itemsize >= 8
            part = given.astype(np.float64 if is_double else np.float32, copy=False)
        except (TypeError, ValueError) as error:
            if isinstance(error, NumprobeError):
                raise
            raise NumprobeError(f"embedder {name!r} did not return a rectangular array of numbers: {error}") from error
        if part.ndim != 2 + layers or part.shape[-2] != len(batch):
            wanted = f"({'layers, ' if layers else ''}{len(batch)}, dimension)"
            raise NumprobeError(f"embedder {name!r} returned shape {part.shape} for {len(batch)} texts, not {wanted}")
        if dimension not in (None, part.shape[-1]):
            raise NumprobeError(f"embedder {name!r} changed its dimension from {dimension} to {part.shape[-1]}")
        dimension = part.shape[-1]
        finite = np.isfinite(part).all(axis=-1)
        if not finite.all():
            first = batch[int(np.argwhere(~finite)[0, -1])]
            raise NumprobeError(f"embedder {name!r} returned NaN or infinity, first for {first!r}")
        yield part
        del made, given, part
        if len(texts) > MANY:
            tell(f"vectors of {name}", start + len(batch), len(texts))


def _array(given: Any) -> np.ndarray:
    """An array of whatever libraries return: tensors on any device and of any precision, sparse matrices, lists."""
    if isinstance(given, list | tuple) and any(hasattr(row, "detach") for row in given):
        given = [_array(row) for row in given]
    if hasattr(given, "detach"):  # PyTorch's
        given = given.detach().cpu()
        given = given.float() if given.dtype.itemsize < 4 else given
    if hasattr(given, "toarray"):  # SciPy's sparse matrices
        given = given.toarray()
    return np.asarray(given)


def coverage(embedder: Any, texts: Sequence[str], name: str, numbers: str) -> np.ndarray:
    """Return which texts an embedder has, by default all; refuse an embedder that has none of them.

    >>> from numprobe.embedders import GivenVectors
    >>> coverage(GivenVectors({"7": [1.0], "8": [2.0]}), ["7", "75"], "mine", "7:75").tolist()
    [True, False]
    """
    has = np.asarray(embedder.covers(texts) if hasattr(embedder, "covers") else [True] * len(texts), dtype=bool)
    if not has.any():
        raise NumprobeError(f"{name} has none of the {len(has)} numbers of {numbers}, such as {texts[0]!r}")
    return has


def cut(embedder: Any, texts: Sequence[str], name: str) -> list[list[str]] | None:
    """Return the word pieces of each text, or None if the embedder has no word pieces.

    >>> class Pieces:
    ...     def pieces(self, texts):
    ...         return [list(text) for text in texts]
    >>> cut(Pieces(), ["75"], "pieces"), cut(FunctionEmbedder(len), ["75"], "lengths")
    ([['7', '5']], None)
    """
    if not hasattr(embedder, "pieces"):
        return None
    found = [list(pieces) for pieces in embedder.pieces(list(texts))]
    if len(found) != len(texts):
        raise NumprobeError(f"embedder {name!r} returned the pieces of {len(found)} texts, not of {len(texts)}")
    return found


def refuse_missing(name: str, texts: Sequence[str], known: Container[str]) -> None:
    """Refuse texts without a vector."""
    missing = [text for text in texts if text not in known]
    if missing:
        examples = ", ".join(map(repr, missing[:3]))
        raise NumprobeError(f"{name} has no vectors for {len(missing)} of the {len(texts)} texts, such as {examples}")


def check_context(context: str, layer: str) -> None:
    """Refuse an unknown context, and several layers of numbers in lists."""
    one_of("context", context, CONTEXTS)
    if context == "in_list" and layer in (*EVERY_LAYER, "mix"):
        raise NumprobeError(f"layer={layer} needs context=isolated; in_list takes one layer")
