"""Files that gensim's `KeyedVectors.save` writes: a pickle, with large vectors in a second file beside it.

A pickle can run any code. This reader imports and calls nothing that a file names: it knows a handful of names, makes
a stub for each of them, and refuses all others.
"""

import pickle
import re
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.word_vectors.files import BUFFER, Source
from numprobe.errors import NumprobeError
from numprobe.files.reading import map_npy, reason

ADVICE = "save the vectors again with gensim's save_word2vec_format, and read that file"


class _Stub:
    """Stands in for an object of the pickle: remembers its first argument and its state."""

    argument: Any
    state: Any

    # More arguments than NumPy uses are an error: keeping them all would let a small file fill the memory.
    def __new__(cls, first: Any = None, second: Any = None, third: Any = None, /) -> "_Stub":
        stub = super().__new__(cls)
        stub.argument, stub.state = first, None
        return stub

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _KeyedVectors(_Stub): ...


class _Type(_Stub): ...


class _Array(_Stub): ...


_STUBS: dict[str, type[_Stub]] = {
    "gensim.models.keyedvectors.KeyedVectors": _KeyedVectors,
    "numpy.dtype": _Type,
    "numpy.core.multiarray._reconstruct": _Array,
    "numpy._core.multiarray._reconstruct": _Array,
    "numpy.core.multiarray.scalar": _Stub,
    "numpy._core.multiarray.scalar": _Stub,
    "numpy.ndarray": _Stub,
}

_ALLOWED = (
    b"\x80\x95."  # protocol, frame, stop
    b"N\x88\x89KMJ\x8aG"  # None, True, False, numbers
    b"\x8cX\x8dCB\x8e"  # texts and bytes
    b"(]ae)t\x85\x86\x87us"  # lists, tuples, items of dictionaries
    b"hjqr\x94"  # the memo
    b"c\x93R\x81b"  # names and objects
)
"""The instructions in pickles of KeyedVectors. Some others allocate memory before they read it."""


class _Dictionary(dict[Any, Any]):
    """A dictionary with simple keys: hashing a tuple that nests itself many times takes for ever."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str | int):
            raise ValueError(f"it contains a dictionary with a key of type {type(key).__name__}")
        super().__setitem__(key, value)


# The unpickler in pure Python keeps its memo in a dictionary, so that a huge index costs no memory.
class _Unpickler(pickle._Unpickler):
    """Reads a pickle into plain values and stubs."""

    def find_class(self, module: str, name: str) -> type[_Stub]:
        stub = _STUBS.get(f"{module}.{name}")
        if stub is None:
            raise ValueError(f"it contains {module}.{name}")
        return stub

    def _refuse(self) -> None:
        raise ValueError("it contains an instruction that KeyedVectors don't use")

    def _push_dictionary(self: Any) -> None:
        self.append(_Dictionary())

    def _skip_set(self: Any) -> None:
        self.pop_mark()
        self.append(None)  # gensim notes which attributes it left out, and nobody needs to know

    dispatch: ClassVar[Any] = {
        **dict.fromkeys(range(256), _refuse),
        **{code: pickle._Unpickler.dispatch[code] for code in _ALLOWED},
        pickle.EMPTY_DICT[0]: _push_dictionary,
        pickle.FROZENSET[0]: _skip_set,
    }


def read_keyed_vectors(source: Source, wanted: dict[bytes, str]) -> dict[str, np.ndarray]:
    try:
        contents: Any = SimpleNamespace(read=source.exactly, readline=partial(source.stream.readline, BUFFER))
        saved = _Unpickler(contents).load()
        state = saved.state if isinstance(saved, _KeyedVectors) and isinstance(saved.state, dict) else {}
        is_beside = "vectors" in state.get("__numpys", ())
        rows = map_npy(beside(source.path)) if is_beside else _array(state.get("vectors"))
    except NumprobeError:
        raise
    except Exception as error:  # a damaged pickle raises nearly anything
        raise source.wrong(f"can't be read as gensim KeyedVectors: {reason(error)}; {ADVICE}") from error
    index = state.get("key_to_index")
    if not isinstance(index, dict) or rows is None or rows.ndim != 2 or rows.dtype.kind != "f":
        raise source.wrong(f"contains no key_to_index with vectors, as KeyedVectors of gensim 4 do; {ADVICE}")
    found = {word: index[word] for word in wanted.values() if word in index}
    if any(type(number) is not int or number not in range(len(rows)) for number in found.values()):
        raise source.wrong(f"damaged: a word has no row among the {len(rows)} vectors")
    return {word: rows[number].astype(np.float32) for word, number in found.items()}


def _array(saved: Any) -> np.ndarray | None:
    """The array of floats that a stub stands for; its bytes have to match its shape."""
    if not isinstance(saved, _Array):
        return None
    _, shape, kind, in_columns, content = saved.state
    if not isinstance(kind, _Type) or not re.fullmatch("f[248]", kind.argument) or kind.state[1] not in ("<", ">"):
        raise ValueError("its vectors are not floats")
    return np.frombuffer(content, kind.state[1] + kind.argument).reshape(shape, order="F" if in_columns else "C")


def beside(path: str) -> str:
    """The file in which gensim stores vectors that are too large for the pickle."""
    return f"{path}.vectors.npy"
