"""Word vectors: files of GloVe, word2vec and fastText, and gensim's objects."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.base import refuse_missing
from numprobe.embedders.sources import local_file, revision
from numprobe.embedders.word_vectors.formats import FORMATS, read_rows
from numprobe.errors import one_of

__all__ = ["FORMATS", "GensimVectors", "WordVectors", "read_rows"]


@dataclass(frozen=True)
class WordVectors:
    """Word vectors from a file: GloVe, word2vec, fastText.

    The file is read once for all texts of a call, and the vectors of earlier calls are remembered.
    """

    name: ClassVar[str] = "word-vectors"

    path: str
    format: str = ""

    def __post_init__(self) -> None:
        if self.format:
            one_of("format of word vectors", self.format, FORMATS)

    def covers(self, texts: list[str]) -> list[bool]:
        known = self._look_up(texts)
        return [known[text] is not None for text in texts]

    def encode(self, texts: list[str]) -> np.ndarray:
        known = {text: row for text, row in self._look_up(texts).items() if row is not None}
        refuse_missing(self.path, texts, known)
        return np.array([known[text] for text in texts], dtype=np.float32)

    @property
    def revision(self) -> str | None:
        return revision(self.path)

    def _look_up(self, texts: list[str]) -> dict[str, np.ndarray | None]:
        known = _known(self.path, self.format, self.revision)
        new = set(texts) - known.keys()
        if new:
            found = read_rows(local_file(self.path), new, self.format)
            known.update((text, found.get(text)) for text in new)
        return known


@lru_cache(maxsize=2)
def _known(path: str, format: str, revision: str | None) -> dict[str, np.ndarray | None]:
    """The vectors that were looked up so far; None for texts that are not in the file."""
    return {}


@dataclass(frozen=True)
class GensimVectors:
    """A gensim `KeyedVectors` object, including those of fastText, as an embedder."""

    vectors: Any

    def covers(self, texts: list[str]) -> list[bool]:
        return [text in self.vectors for text in texts]

    def encode(self, texts: list[str]) -> np.ndarray:
        refuse_missing(type(self.vectors).__name__, texts, self.vectors)
        return np.array([self.vectors.get_vector(text) for text in texts], dtype=np.float32)
