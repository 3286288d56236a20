"""What NAQANet knows of a word before it learns: a fixed vector, and its characters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from numprobe.drop.naqanet.reading import Reading
from numprobe.embedders import encode, is_learned, load_embedder
from numprobe.embedders.naqanet import LONGEST_WORD
from numprobe.errors import NumprobeError

SHORTEST_WORD = 5
"""Shorter words are padded, as a convolution is so wide."""


@dataclass(frozen=True)
class Alphabet:
    """The characters that a model tells apart; rows 0 and 1 are for padding and for all others."""

    characters: str

    @classmethod
    def of(cls, readings: Iterable[Reading], least: int) -> "Alphabet":
        """The characters that are read this often, a passage once for each of its questions."""
        seen: Counter[str] = Counter()
        for reading in readings:
            for word, count in Counter(reading.seen).items():
                for character in word:
                    seen[character] += count * len(reading.questions)
            for question in reading.questions:
                seen.update("".join(question.tokens.words))
        return cls("".join(sorted(character for character, count in seen.items() if count >= least)))

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """(words, longest) rows of the character embeddings.

        >>> Alphabet("ab").rows(["", "abc"]).tolist()
        [[0, 0, 0, 0, 0], [2, 3, 1, 0, 0]]
        """
        row = {character: place for place, character in enumerate(self.characters, 2)}
        longest = min(max(SHORTEST_WORD, *map(len, words)), LONGEST_WORD)
        rows = np.zeros((len(words), longest), dtype=np.int64)
        for place, word in enumerate(words):
            read = word[:longest]
            rows[place, : len(read)] = [row.get(character, 1) for character in read]
        return rows


@dataclass(frozen=True)
class WordVectors:
    """Fixed vectors of lower-cased words from one of numprobe's embedders, or none at all if it has no name."""

    embedder: str
    width: int
    _rows: dict[str, np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, embedder: str, readings: Iterable[Reading]) -> "WordVectors":
        """The vectors of the words of some passages and questions."""
        vectors = cls(embedder, encode(_word_embedder(embedder), ["the"], embedder).shape[1] if embedder else 0)
        vectors.read(readings)
        return vectors

    def read(self, readings: Iterable[Reading]) -> None:
        """Get the vectors of further words, all at once, as the embedder may have to read a large file for it."""
        if not self.embedder:
            return
        words = sorted({word.lower() for reading in readings for word in _words(reading)} - self._rows.keys())
        embedder = _word_embedder(self.embedder)
        known = [word for word, has in zip(words, embedder.covers(words), strict=True) if has]
        self._rows.update((word, np.zeros(self.width, np.float32)) for word in words)
        if known:
            self._rows.update(zip(known, encode(embedder, known, self.embedder), strict=True))

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """(words, width); a word without a vector has zeros, so that its characters alone tell it from others."""
        unknown = np.zeros(self.width, np.float32)
        return np.stack([self._rows.get(word.lower(), unknown) for word in words])


def _word_embedder(name: str) -> Any:
    embedder = load_embedder(name)
    if is_learned(embedder) or not hasattr(embedder, "covers"):
        raise NumprobeError(f"{name!r} holds no word vectors; take one such as 'glove-6b-50d'")
    return embedder


def _words(reading: Reading) -> Iterable[str]:
    yield from reading.seen
    for question in reading.questions:
        yield from question.tokens.words
