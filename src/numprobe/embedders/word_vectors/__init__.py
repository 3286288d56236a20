"""Word vectors: files of GloVe, word2vec and fastText, and gensim's objects."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from numprobe.embedders.base import refuse_missing
from numprobe.embedders.sources import local_file, revision
from numprobe.embedders.word_vectors import fasttext, word2vec
from numprobe.embedders.word_vectors.files import BUFFER, HEADER, Source, opened
from numprobe.errors import NumprobeError, one_of

READERS: dict[str, Callable[[Source, dict[bytes, str]], dict[str, np.ndarray]]] = {
    "glove": word2vec.read_glove,
    "word2vec": word2vec.read_word2vec,
    "word2vec-binary": word2vec.read_word2vec_binary,
    "fasttext": fasttext.read_fasttext,
}
"""`fasttext` is fastText's .bin format, which also has vectors for unknown words; its .vec files are `word2vec`."""


POOLINGS = ("none", "mean")


@dataclass(frozen=True)
class WordVectors:
    """Word vectors from a file: GloVe, word2vec, fastText.

    The file is read once for all texts of a call, and the vectors of earlier calls are remembered.
    """

    name: ClassVar[str] = "word-vectors"

    path: str
    format: str = ""
    """Refuse a file in any other format."""
    pooling: str = "none"
    """`mean` takes the mean of a text's words in lower case, without those that the file lacks."""

    def __post_init__(self) -> None:
        if self.format:
            one_of("format of word vectors", self.format, READERS)
        one_of("pooling", self.pooling, POOLINGS)

    @property
    def for_texts(self) -> Self:
        """The same vectors for tasks about whole texts: the mean of their words."""
        return replace(self, pooling="mean")

    def covers(self, texts: list[str]) -> list[bool]:
        """Which texts it has; of a text with several words, those with digits."""
        if self.pooling == "mean":
            needed = [[word for word in own if any(map(str.isdigit, word))] or own[:1] for own in map(_words, texts)]
            known = self._look_up([word for own in needed for word in own])
            return [bool(own) and all(known[word] is not None for word in own) for own in needed]
        known = self._look_up(texts)
        return [known[text] is not None for text in texts]

    def encode(self, texts: list[str]) -> np.ndarray:
        if self.pooling == "mean":
            return self._means([_words(text) for text in texts])
        known = {text: row for text, row in self._look_up(texts).items() if row is not None}
        refuse_missing(self.path, texts, known)
        return np.array([known[text] for text in texts], dtype=np.float32)

    def _means(self, texts: list[list[str]]) -> np.ndarray:
        found = self._look_up([word for words in texts for word in words])
        rows = [[row for word in words if (row := found[word]) is not None] for words in texts]
        if not all(rows):
            lacking = " ".join(texts[[bool(own) for own in rows].index(False)])
            raise NumprobeError(f"{self.path} has no vector for any word of {lacking!r}")
        return np.stack([np.mean(own, axis=0, dtype=np.float64) for own in rows]).astype(np.float32)

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


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,]\d+)*|[^\w\s]", text.lower())


@lru_cache(maxsize=2)
def _known(path: str, format: str, revision: str | None) -> dict[str, np.ndarray | None]:
    """The vectors that were looked up so far; None for texts that are not in the file."""
    return {}


def read_rows(path: str, wanted: Collection[str], format: str = "") -> dict[str, np.ndarray]:
    """Read the float32 vectors of the wanted words that are in the file, in one pass.

    The format is recognised from the content. If a word occurs twice, its first vector counts. Reading stops when all
    words are found, so the rest of the file is not checked.
    """
    with opened(path) as source:
        recognised = _recognise(source)
        if format not in ("", recognised):
            raise source.wrong(f"has the format {recognised}, not {format}")
        rows = READERS[recognised](source, {word.encode(errors="surrogatepass"): word for word in wanted})
    for word, row in rows.items():
        if not np.isfinite(row).all():
            raise NumprobeError(f"{path}: the vector of {word!r} contains NaN or infinity")
    return rows


def _recognise(source: Source) -> str:
    start = source.stream.peek(BUFFER)
    if not start:
        raise source.wrong("the file is empty")
    if start.startswith(fasttext.MAGIC):
        return "fasttext"
    if start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5"):  # a pickle of this protocol
        raise source.wrong(
            "a pickle, which can run code: load it with gensim and pass the KeyedVectors to numprobe.probe, "
            "or save it with save_word2vec_format"
        )
    first, _, rest = start.partition(b"\n")
    if HEADER.fullmatch(first):
        return "word2vec" if not rest or word2vec.is_row(rest.partition(b"\n")[0]) else "word2vec-binary"
    if word2vec.is_row(first):
        return "glove"
    raise source.wrong(f"not word vectors in any known format ({', '.join(READERS)})")


@dataclass(frozen=True)
class GensimVectors:
    """A gensim `KeyedVectors` object, including those of fastText, as an embedder.

    >>> from gensim.models import KeyedVectors
    >>> vectors = KeyedVectors(vector_size=2)
    >>> vectors.add_vectors(["7", "8"], [[0.0, 1.0], [1.0, 0.0]])
    >>> GensimVectors(vectors).encode(["8"]).tolist()
    [[1.0, 0.0]]
    """

    vectors: Any

    def covers(self, texts: list[str]) -> list[bool]:
        return [text in self.vectors for text in texts]

    def encode(self, texts: list[str]) -> np.ndarray:
        refuse_missing(type(self.vectors).__name__, texts, self.vectors)
        return np.array([self.vectors.get_vector(text) for text in texts], dtype=np.float32)
