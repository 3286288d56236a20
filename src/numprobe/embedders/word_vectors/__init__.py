"""Word vectors from files: GloVe, word2vec, fastText, gensim."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.sources import local_file, resolve, revision
from numprobe.embedders.word_vectors.formats import FORMATS, read_rows
from numprobe.embedders.word_vectors.keyed import beside
from numprobe.errors import NumprobeError, one_of

__all__ = ["FORMATS", "GensimVectors", "WordVectors", "read_rows"]


@dataclass(frozen=True)
class WordVectors:
    """Word vectors from a file: GloVe, word2vec, fastText, gensim.

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
        return _stack(self.path, texts, self._look_up(texts))

    @property
    def revision(self) -> str | None:
        """A cheap fingerprint of the file, and of the file that gensim may have stored beside it."""
        return revision(self.path, *filter(os.path.exists, [beside(resolve(self.path))]))

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
        known = {text: self.vectors.get_vector(text) for text in texts if text in self.vectors}
        return _stack(type(self.vectors).__name__, texts, known)


def _stack(name: str, texts: list[str], known: Mapping[str, np.ndarray | None]) -> np.ndarray:
    rows = [row for text in texts if (row := known.get(text)) is not None]
    if len(rows) < len(texts):
        missing = [text for text in texts if known.get(text) is None]
        count = f"{len(missing)} of the {len(texts)}" if rows else f"any of the {len(texts)}"
        raise NumprobeError(f"{name} has no vectors for {count} texts, first: {', '.join(map(repr, missing[:3]))}")
    return np.array(rows, dtype=np.float32)
