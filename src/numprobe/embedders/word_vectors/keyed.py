"""What gensim's `KeyedVectors.save` writes: a pickle, with the vectors in it or, if large, in a file beside it.

Pickles can run any code, so this one is not unpickled but read as data.
"""

import re
from typing import Any

import numpy as np

from numprobe.embedders.weights.reading import reading
from numprobe.embedders.word_vectors.files import Source
from numprobe.embedders.word_vectors.pickled import Name, Object, load

WAY_OUT = "save the vectors again with gensim's save_word2vec_format, and read that"

KEYED_VECTORS = Name("gensim.models.keyedvectors", "KeyedVectors")
DTYPE = Name("numpy", "dtype")
ARRAYS = tuple(Name(f"numpy.{core}.multiarray", "_reconstruct") for core in ("core", "_core"))
KNOWN = {
    KEYED_VECTORS,
    DTYPE,
    Name("numpy", "ndarray"),
    *ARRAYS,
    *(Name(f"numpy.{core}.multiarray", "scalar") for core in ("core", "_core")),
}


def read(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    try:
        saved = load(source.stream.read, source.stream.readline, KNOWN.__contains__)
        state = saved.state if isinstance(saved, Object) and saved.maker == KEYED_VECTORS else {}
        state = state if isinstance(state, dict) else {}
        rows = None if "vectors" in state.get("__numpys", ()) else _array(state.get("vectors"))
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise source.wrong(f"not read as gensim KeyedVectors: {error}; {WAY_OUT}") from error
    rows = _beside(source) if "vectors" in state.get("__numpys", ()) else rows
    index = state.get("key_to_index")
    if not isinstance(index, dict) or rows is None or rows.ndim != 2 or rows.dtype.kind != "f":
        raise source.wrong(f"holds no key_to_index with vectors, as KeyedVectors of gensim 4 do; {WAY_OUT}")
    found = {word: index[word] for word in wanted.values() if word in index}
    if any(type(number) is not int or number not in range(len(rows)) for number in found.values()):
        raise source.wrong(f"damaged: words without a row among the {len(rows)} vectors")
    return {word: rows[number].astype(np.float32) for word, number in found.items()}


def _array(saved: Any) -> np.ndarray | None:
    """The array of floats that an object of the pickle stands for; its bytes are as many as its shape says."""
    if not isinstance(saved, Object) or saved.maker not in ARRAYS:
        return None
    _, shape, dtype, in_columns, content = saved.state
    if dtype.maker != DTYPE or not re.fullmatch("f[248]", dtype.arguments[0]) or dtype.state[1] not in ("<", ">"):
        raise ValueError("its vectors are not floats")
    return np.frombuffer(content, dtype.state[1] + dtype.arguments[0]).reshape(shape, order="F" if in_columns else "C")


def beside(path: str) -> str:
    """Where gensim puts vectors that are too large for the pickle."""
    return f"{path}.vectors.npy"


def _beside(source: Source) -> np.ndarray:
    with reading(beside(source.path)), np.errstate(over="raise"):  # a shape may be larger than any number of bytes
        rows: np.ndarray = np.load(beside(source.path), mmap_mode="r", allow_pickle=False)
    return rows
