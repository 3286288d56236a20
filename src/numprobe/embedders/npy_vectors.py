"""Word vectors as a NumPy array, with their words in a Parquet file."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from numprobe.embedders.sources import file, revision
from numprobe.embedders.weights.reading import read_parquet, reading
from numprobe.errors import NumprobeError


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
        return np.array([text in self._rows for text in texts], dtype=bool)

    def encode(self, texts: list[str]) -> np.ndarray:
        missing = [text for text in texts if text not in self._rows]
        if missing:
            first = ", ".join(map(repr, missing[:3])) + (", …" if len(missing) > 3 else "")
            raise NumprobeError(f"{len(missing)} of {len(texts)} texts have no vector in {self.vectors}: {first}")
        return np.asarray(self._table[[self._rows[text] for text in texts]], dtype=np.float32)

    @cached_property
    def _table(self) -> np.ndarray:
        with reading(self.vectors), np.errstate(over="raise"):  # a shape may be larger than any number of bytes
            table: np.ndarray = np.load(file(self.vectors), mmap_mode="r", allow_pickle=False)
        if table.ndim != 2 or table.dtype.kind != "f":
            raise NumprobeError(f"{self.vectors} holds {table.dtype} of shape {table.shape}, not a row per word")
        return table

    @cached_property
    def _rows(self) -> dict[str, int]:
        with reading(self.words):
            words = read_parquet(file(self.words), ["index"])["index"].to_pylist()
        if len(words) != len(self._table):
            raise NumprobeError(f"{self.words} has {len(words)} words for {len(self._table)} rows of {self.vectors}")
        return {word: row for row, word in enumerate(words)}
