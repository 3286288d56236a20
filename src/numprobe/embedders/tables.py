"""The cache of vectors, which are computed once per embedder, revision and texts, and shared by all cells."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from numprobe.embedders.base import EVERY_LAYER, Allocate, encode
from numprobe.errors import NumprobeError
from numprobe.files import cache_folder
from numprobe.files.writing import Draft, drafted, sweep

FOLDER = "tables"
ANSWERS = "endpoints"
"""Where the vectors of services are kept, one file each."""


def cached(about: dict[str, str], texts: Sequence[str], make: Callable[[Allocate], np.ndarray]) -> np.ndarray:
    """Return the vectors for `about` and the texts from the cache, or make them and add them to it.

    Whoever makes many of them asks for room in the file and fills it batch by batch. If two processes need the same
    table, one makes it and the other waits. A killed process leaves nothing behind.
    """
    key = hashlib.sha256(json.dumps([about, list(texts)], sort_keys=True).encode()).hexdigest()[:20]
    path = cache_folder() / FOLDER / f"{key}.safetensors"
    if not path.exists():
        sweep(path.parent)
        with drafted(path) as draft:
            if not path.exists():  # another process may have made it while this one waited
                _write(draft, about, make)
    return _read(path)


def _write(draft: Draft, about: dict[str, str], make: Callable[[Allocate], np.ndarray]) -> None:
    """Write a table. What is made elsewhere than in the room that was asked for is copied there."""
    rooms: list[np.ndarray] = []

    def allocate(shape: tuple[int, ...], kind: str = "<f4") -> np.ndarray:
        header = _header(about, shape, np.dtype(kind).itemsize)
        draft.write(header)
        draft.extend(np.dtype(kind).itemsize * math.prod(shape))
        room = np.memmap(draft.made, dtype=kind, mode="r+", offset=len(header), shape=shape)
        rooms.append(room)
        return room

    made = make(allocate)
    if not rooms:
        allocate(made.shape, "<f2" if made.dtype == np.float16 else "<f4")[:] = made
    for room in rooms:
        assert isinstance(room, np.memmap)
        room.flush()
    draft.finish()


def _header(about: dict[str, str], shape: tuple[int, ...], size: int) -> bytes:
    """How a safetensors file with one array begins. The library would copy the array, and is not safe to kill."""
    array = {"dtype": f"F{8 * size}", "shape": shape, "data_offsets": [0, size * math.prod(shape)]}
    header = json.dumps({"__metadata__": about, "vectors": array}).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header


def _read(path: Path) -> np.ndarray:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:  # PyTorch maps the file, so that workers share its pages
            vectors: np.ndarray = file.get_tensor("vectors").numpy()
            return vectors
    except SafetensorError as error:
        raise NumprobeError(f"{path} is damaged ({error}): remove it with numprobe cache clear") from None


def tables() -> Iterator[dict[str, Any]]:
    """Describe the tables in the cache: embedder, revision, texts, count, bytes, path."""
    from safetensors import SafetensorError, safe_open

    for path in sorted((cache_folder() / ANSWERS).glob("*.sqlite")):
        yield {"embedder": "endpoint", "bytes": path.stat().st_size, "path": str(path)}
    for path in sorted((cache_folder() / FOLDER).glob("*.safetensors")):
        try:
            with safe_open(path, "numpy") as file:
                about = file.metadata() or {}
        except SafetensorError:
            about = {"embedder": "damaged"}
        yield {**about, "bytes": path.stat().st_size, "path": str(path)}


def clear() -> int:
    """Remove all tables and return the number of bytes that this freed."""
    freed = 0
    for folder in (cache_folder() / FOLDER, cache_folder() / ANSWERS):
        sweep(folder)
        for path in folder.glob("[!.]*"):  # files that start with a dot are being made
            freed += path.stat().st_size
            path.unlink(missing_ok=True)
    return freed


def pinned(embedder: Any) -> str | None:
    """Identify an embedder's weights, for a hub model by the commit that was loaded; None if it has no revision.

    >>> from numprobe.embedders import load_embedder
    >>> print(pinned(load_embedder("value")))
    None
    """
    revision: str | None = getattr(embedder, "revision", None)
    return embedder.hub_commit if revision == "" else revision


def vectors_of(embedder: Any, name: str, texts: Sequence[str], spans: Sequence[tuple[int, int]] = ()) -> np.ndarray:
    """Return an embedder's (layers, texts, dimension) vectors, from the cache if the embedder has a revision.

    With `spans`, texts are read there by an embedder that can. Vectors of one shuffle alone are not cached. There is
    one layer, unless the embedder has the setting `layer=all` or `layer=best`.

    >>> from numprobe.embedders import load_embedder
    >>> vectors_of(load_embedder("value", scale="raw"), "value", ["7", "75"]).tolist()
    [[[7.0], [75.0]]]
    """
    layers = getattr(embedder, "layer", "") in EVERY_LAYER
    make = partial(encode, embedder, texts, name, layers, spans)
    revision = pinned(embedder)
    if revision is None or hasattr(embedder, "of_shuffle"):
        vectors = make()
    else:
        about = {
            "embedder": name.replace("layer=best", "layer=all"),  # one table serves both
            "revision": revision,
            "version": str(getattr(embedder, "version", 1)),
            "texts": f"{texts[0]} … {texts[-1]}",
            "count": str(len(texts)),
        }
        if spans and hasattr(embedder, "encode_at"):
            about["read_at"] = hashlib.sha256(json.dumps(list(spans)).encode()).hexdigest()[:20]
        vectors = cached(about, texts, lambda allocate: make(allocate=allocate))
        if vectors.dtype != np.float32 or vectors.ndim != 2 + layers or vectors.shape[-2] != len(texts):
            found = f"{vectors.dtype} of shape {vectors.shape} for {len(texts)} texts of {name}"
            raise NumprobeError(f"the cache has {found}: remove it with numprobe cache clear")
    return vectors if layers else vectors[None]
