"""Word vectors as embedders."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from numprobe.embedders.given import resolve
from numprobe.embedders.sources import file, revision
from numprobe.embedders.word_vectors.formats import FORMATS, read_rows
from numprobe.embedders.word_vectors.keyed import beside
from numprobe.errors import NumprobeError, one_of


@dataclass(frozen=True)
class WordVectors:
    """Word vectors from a file: GloVe, word2vec, fastText, gensim.

    The file is read once for all the texts of a call; those of earlier calls are remembered.
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
        """A cheap fingerprint of the file, and of the one that gensim may have put beside it."""
        return revision(self.path, *filter(os.path.exists, [beside(resolve(self.path))]))

    @cached_property
    def _known(self) -> dict[str, np.ndarray | None]:
        return {}

    def _look_up(self, texts: list[str]) -> dict[str, np.ndarray | None]:
        new = set(texts) - self._known.keys()
        if new:
            found = read_rows(file(self.path), new, self.format)
            self._known.update((text, found.get(text)) for text in new)
        return self._known


@dataclass(frozen=True)
class GensimVectors:
    """A gensim `KeyedVectors` object, its fastText kind included, as an embedder."""

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
