"""What gensim's `KeyedVectors.save` writes: a pickle, with the vectors in it or, if large, in a file beside it.

Pickles can run any code, so this one may build nothing but the few things that such a file needs.
"""

import pickle
from typing import Any

import numpy as np

from numprobe.embedders.word_vectors.files import Source

WAY_OUT = "save the vectors again with gensim's save_word2vec_format, and read that"


class _Saved:
    """Stands in for gensim's class, and holds what was saved."""


_array, _scalar = np.empty(0).__reduce__()[0], np.float32(0).__reduce__()[0]

ALLOWED: dict[tuple[str, str], Any] = {
    ("gensim.models.keyedvectors", "KeyedVectors"): _Saved,
    ("numpy", "dtype"): np.dtype,
    ("numpy", "ndarray"): np.ndarray,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _array for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _scalar for core in ("core", "_core")},
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"it holds {module}.{name}, which KeyedVectors need not")
        return ALLOWED[module, name]


def read(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    try:
        saved = _Unpickler(source.stream).load()
    except Exception as error:  # damaged pickles raise anything
        raise source.wrong(f"not read as gensim KeyedVectors: {error}; {WAY_OUT}") from error
    state = saved.__dict__ if isinstance(saved, _Saved) else {}
    rows = _beside(source) if "vectors" in state.get("__numpys", ()) else state.get("vectors")
    index = state.get("key_to_index")
    if not isinstance(index, dict) or not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind != "f":
        raise source.wrong(f"holds no key_to_index with vectors, as KeyedVectors of gensim 4 do; {WAY_OUT}")
    found = {word: index[word] for word in wanted.values() if word in index}
    if any(number not in range(len(rows)) for number in found.values()):
        raise source.wrong(f"damaged: words without a row among the {len(rows)} vectors")
    return {word: rows[number].astype(np.float32) for word, number in found.items()}


def beside(path: str) -> str:
    """Where gensim puts vectors that are too large for the pickle."""
    return f"{path}.vectors.npy"


def _beside(source: Source) -> Any:
    try:
        return np.load(beside(source.path), mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise source.wrong(f"its vectors, {beside(source.path)}, can't be read: {error}") from error
