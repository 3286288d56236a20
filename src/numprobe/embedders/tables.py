"""The cache of vectors: computed once per embedder, revision, layer and texts, for all tasks, seeds and workers."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files import cache_folder
from numprobe.files.writing import drafted, sweep

FOLDER = "tables"


@dataclass(frozen=True)
class Table:
    """One file of the cache."""

    path: Path
    about: dict[str, str]

    @property
    def bytes(self) -> int:
        return self.path.stat().st_size


def cached(about: dict[str, str], texts: Sequence[str], make: Callable[[], np.ndarray]) -> np.ndarray:
    """The vectors that `about` and the texts name, from the cache, or made and kept there.

    Two processes that want the same table make it once; one that is killed leaves nothing behind.
    """
    key = hashlib.sha256(json.dumps([about, list(texts)], sort_keys=True).encode()).hexdigest()[:20]
    path = cache_folder() / FOLDER / f"{key}.safetensors"
    if not path.exists():
        sweep(path.parent)
        with drafted(path) as draft:
            if not path.exists():  # another process may have made it while this one waited
                draft.publish(*_safetensors(about, make()))
    return _read(path)


def _safetensors(about: dict[str, str], vectors: np.ndarray) -> tuple[bytes, bytes, memoryview]:
    """The parts of a file with one array. The library copies arrays, and writes files that a kill leaves behind."""
    data = np.ascontiguousarray(vectors, dtype="<f4").data.cast("B")
    array = {"dtype": "F32", "shape": vectors.shape, "data_offsets": [0, data.nbytes]}
    header = json.dumps({"__metadata__": about, "vectors": array}).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little"), header, data


def _read(path: Path) -> np.ndarray:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "pt") as file:  # this one maps the file instead of copying it: workers share its pages
            vectors: np.ndarray = file.get_tensor("vectors").numpy()
            return vectors
    except SafetensorError as error:
        raise NumprobeError(f"{path} is damaged ({error}): remove it with numprobe cache clear") from None


def tables() -> Iterator[Table]:
    """What the cache holds."""
    from safetensors import SafetensorError, safe_open

    for path in sorted((cache_folder() / FOLDER).glob("*.safetensors")):
        try:
            with safe_open(path, "numpy") as file:
                yield Table(path, dict(file.metadata() or {}))
        except SafetensorError:
            yield Table(path, {"embedder": "damaged"})


def clear() -> int:
    """Remove every table; returns how many bytes that freed."""
    freed = 0
    sweep(cache_folder() / FOLDER)
    for path in (cache_folder() / FOLDER).glob("[!.]*"):  # the others are in the making
        freed += path.stat().st_size
        path.unlink(missing_ok=True)
    return freed


def pinned(embedder: Any) -> str | None:
    """What identifies an embedder's weights, for a hub model the commit that was loaded; None where it does not say."""
    revision: str | None = getattr(embedder, "revision", None)
    return embedder.hub_commit if revision == "" else revision


def vectors_of(embedder: Any, name: str, texts: Sequence[str], encode: Callable[[], np.ndarray]) -> np.ndarray:
    """The vectors of an embedder, cached if it says which revision it is."""
    revision = pinned(embedder)
    if revision is None:
        return encode()
    about = {"embedder": name, "revision": revision, "texts": f"{texts[0]} … {texts[-1]}", "count": str(len(texts))}
    vectors = cached(about, texts, encode)
    if vectors.dtype != np.float32 or vectors.ndim not in (2, 3) or vectors.shape[-2] != len(texts):
        raise NumprobeError(f"the cache has {vectors.dtype} of shape {vectors.shape} for {len(texts)} texts of {name}")
    return vectors
