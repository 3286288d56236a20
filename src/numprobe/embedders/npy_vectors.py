"""Word vectors as a NumPy array, with their words in a Parquet file."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from numprobe.embedders.base import refuse_missing
from numprobe.embedders.sources import local_file, revision
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors, read_parquet


@dataclass(frozen=True)
class NpyVectors:
    """One vector per word: row n of the .npy file belongs to row n of the Parquet file's column `index`."""

    name: ClassVar[str] = "npy-vectors"

    vectors: str
    words: str

    @property
    def revision(self) -> str | None:
        return revision(self.vectors, self.words)

    def covers(self, texts: list[str]) -> np.ndarray:
        """Whether each text has a vector."""
        _, rows = _load(self.vectors, self.words, self.revision)
        return np.array([text in rows for text in texts], dtype=bool)

    def encode(self, texts: list[str]) -> np.ndarray:
        table, rows = _load(self.vectors, self.words, self.revision)
        refuse_missing(self.vectors, texts, rows)
        return np.asarray(table[[rows[text] for text in texts]], dtype=np.float32)


@lru_cache(maxsize=1)
def _load(vectors: str, words: str, revision: str | None) -> tuple[np.ndarray, dict[str, int]]:
    """The table of vectors, and the row of each word in it."""
    with one_line_errors(vectors), np.errstate(over="raise"):  # the header's shape may exceed any number of bytes
        table = np.load(local_file(vectors), mmap_mode="r", allow_pickle=False)
    if table.ndim != 2 or table.dtype.kind != "f":
        raise NumprobeError(f"{vectors} contains {table.dtype} of shape {table.shape}, not one row per word")
    with one_line_errors(words):
        listed = read_parquet(local_file(words), ["index"])["index"].to_pylist()
    if len(listed) != len(table):
        raise NumprobeError(f"{words} has {len(listed)} words for the {len(table)} rows of {vectors}")
    return table, {word: row for row, word in enumerate(listed)}
