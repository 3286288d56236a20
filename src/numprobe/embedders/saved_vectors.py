"""Vectors that somebody saved: .npz, .npy, .safetensors, .parquet or .csv; or a dict in Python."""

import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.base import refuse_missing
from numprobe.embedders.sources import local_file, revision
from numprobe.errors import NumprobeError, one_of
from numprobe.files.reading import one_line_errors, read_parquet
from numprobe.files.unpacking import member_of, open_zip

TEXTS, VECTORS = "texts", "vectors"
"""What the arrays are called in a file that holds both."""

Loaded = tuple[np.ndarray, Sequence[str]]


@dataclass(frozen=True)
class SavedVectors:
    """Vectors in a file, one per text: .npz, .npy, .safetensors, .parquet or .csv. Texts without one are missing."""

    name: ClassVar[str] = "saved-vectors"

    path: str
    texts: str = ""
    """The texts of the rows, if they are in a file of their own: a line each, or a column of a Parquet file."""

    def __post_init__(self) -> None:
        one_of("format of saved vectors", Path(self.path).suffix.lower(), READERS)

    @property
    def revision(self) -> str | None:
        return revision(*filter(None, (self.path, self.texts)))

    def covers(self, texts: list[str]) -> np.ndarray:
        """Whether each text has a vector."""
        _, rows = _load(self.path, self.texts, self.revision)
        return np.array([text in rows for text in texts], dtype=bool)

    def encode(self, texts: list[str]) -> np.ndarray:
        table, rows = _load(self.path, self.texts, self.revision)
        refuse_missing(self.path, texts, rows)
        return np.asarray(table[[rows[text] for text in texts]], dtype=np.float32)


@dataclass(frozen=True)
class GivenVectors:
    """Vectors of texts in a dict, as an embedder.

    >>> GivenVectors({"7": [0.1, 0.2]}).covers(["7", "8"])
    [True, False]
    """

    vectors: Mapping[str, Any]

    def covers(self, texts: Sequence[str]) -> list[bool]:
        return [text in self.vectors for text in texts]

    def encode(self, texts: Sequence[str]) -> list[Any]:
        refuse_missing("the dict", texts, self.vectors)
        return [self.vectors[text] for text in texts]


@lru_cache(maxsize=1)
def _load(path: str, texts: str, revision: str | None) -> tuple[np.ndarray, dict[str, int]]:
    """The table of vectors, and the row of each text in it."""
    with one_line_errors(path), np.errstate(over="raise"):  # a header's shape may exceed any number of bytes
        read = READERS[Path(path).suffix.lower()]
        table, listed = read(local_file(path), _listed(texts) if texts else None)
    if table.ndim != 2 or table.dtype.kind not in "fiu":
        raise NumprobeError(f"{path} contains {table.dtype} of shape {table.shape}, not one row of numbers per text")
    if len(listed) != len(table):
        raise NumprobeError(f"{texts or path} has {len(listed)} texts for the {len(table)} rows of {path}")
    return table, {str(text): row for row, text in enumerate(listed)}


def _listed(texts: str) -> Sequence[str]:
    """The texts of a file: a column of a Parquet file, or a line each."""
    if texts.endswith(".parquet"):
        with one_line_errors(texts):
            found = read_parquet(local_file(texts))
            return [str(text) for text in found[_text_column(found.column_names, texts)].to_pylist()]
    with one_line_errors(texts):
        return Path(local_file(texts)).read_text(encoding="utf-8").splitlines()


def _text_column(names: Sequence[str], path: str) -> str:
    """The column of texts: the one that is called so."""
    for name in ("text", TEXTS, "word", "index"):
        if name in names:
            return name
    raise NumprobeError(f"{path} has no column 'text', but {', '.join(map(repr, names[:5]))}")


def _npy(path: str, texts: Sequence[str] | None) -> Loaded:
    if texts is None:
        raise NumprobeError(f"{path} holds no texts: write saved-vectors:path=…,texts=FILE, with a text per line")
    return np.load(path, mmap_mode="r", allow_pickle=False), texts


def _npz(path: str, texts: Sequence[str] | None) -> Loaded:
    with open_zip(path, path) as archive:
        arrays = {}
        for info in archive.infolist():
            with member_of(archive, info, path) as member:
                arrays[info.filename.removesuffix(".npy")] = _array(member.read())
    return _of_arrays(arrays, texts)


def _array(content: bytes) -> np.ndarray:
    """The array of an .npy file. NumPy's own reader believes a header that promises more than there is."""
    file = io.BytesIO(content)
    read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
    version = np.lib.format.read_magic(file)[0]
    if version not in read:
        raise ValueError(f"version {version} of the .npy format is unknown")
    shape, is_fortran, kind = read[version](file)
    if kind.hasobject:
        raise ValueError("it holds pickled objects")
    array = np.frombuffer(content, kind, math.prod(shape), file.tell())
    return array.reshape(shape, order="F" if is_fortran else "C")


def _safetensors(path: str, texts: Sequence[str] | None) -> Loaded:
    from safetensors import safe_open

    with safe_open(path, "pt") as file:  # PyTorch knows bfloat16, and NumPy does not
        arrays = {name: file.get_tensor(name).float().numpy() for name in file.keys()}  # noqa: SIM118
        told = (file.metadata() or {}).get(TEXTS)
    return _of_arrays(arrays, texts if texts is not None else json.loads(told) if told else None)


def _of_arrays(arrays: Mapping[str, np.ndarray], texts: Sequence[str] | None) -> Loaded:
    """A table and its texts, or a vector under each text."""
    if VECTORS in arrays and (texts is not None or TEXTS in arrays):
        return arrays[VECTORS], texts if texts is not None else arrays[TEXTS].astype(str).tolist()
    if not arrays or any(array.ndim != 1 for array in arrays.values()):
        raise NumprobeError(f"there are neither arrays '{VECTORS}' and '{TEXTS}' nor one vector per text")
    return np.stack(list(arrays.values())), list(arrays)


def _parquet(path: str, texts: Sequence[str] | None) -> Loaded:
    found = read_parquet(path)
    column = _text_column(found.column_names, path)
    listed = [str(text) for text in found[column].to_pylist()] if texts is None else texts
    others = [name for name in found.column_names if name != column]
    if len(others) == 1:  # a column of lists
        return np.stack([np.asarray(row, dtype=np.float32) for row in found[others[0]].to_pylist()]), listed
    return np.column_stack([found[name].to_numpy() for name in others]).astype(np.float32), listed


def _csv(path: str, texts: Sequence[str] | None) -> Loaded:
    import pandas as pd

    found = pd.read_csv(path, dtype={0: str}, keep_default_na=False)
    column = _text_column(list(found.columns), path)
    numbers = found.drop(columns=column).apply(pd.to_numeric).to_numpy(dtype=np.float32)
    return numbers, found[column].astype(str).tolist() if texts is None else texts


READERS: dict[str, Callable[[str, Sequence[str] | None], Loaded]] = {
    ".npz": _npz,
    ".npy": _npy,
    ".safetensors": _safetensors,
    ".parquet": _parquet,
    ".csv": _csv,
}
