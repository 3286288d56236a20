"""From text to what NAQANet reads: tokens, the characters of a word, and fixed word vectors."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from numprobe.embedders import encode, is_learned, load_embedder
from numprobe.errors import NumprobeError

SHORTEST_WORD, LONGEST_WORD = 5, 50
"""Shorter words are padded to the convolution's window; longer ones are cut, as a batch is as wide as its longest."""
_PIECES = re.compile("[-–~]|[^-–~]+")
"""Tokens are split at these marks ("43-yard", "20–17"); the marks stay as tokens."""


@dataclass(frozen=True)
class Tokens:
    """The words and punctuation marks of a text, with their places, so that answers are slices of the text."""

    text: str
    places: tuple[tuple[int, int], ...]
    """Where each token starts and ends."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text[start:end] for start, end in self.places)

    def between(self, first: int, last: int) -> str:
        """The text from one token to another."""
        return self.text[self.places[first][0] : self.places[last][1]]

    def first(self, most: int) -> "Tokens":
        """At most this many tokens from the start."""
        return self if len(self.places) <= most else Tokens(self.text, self.places[:most])


def tokenize(text: str) -> Tokens:
    """The tokens of spaCy's English tokenizer, split at hyphens.

    >>> tokenize("Gould's 43-yard field goal").words
    ('Gould', "'s", '43', '-', 'yard', 'field', 'goal')
    """
    return Tokens(
        text,
        tuple(
            (token.idx + piece.start(), token.idx + piece.end())
            for token in _tokenizer()(text)
            if not token.is_space
            for piece in _PIECES.finditer(token.text)
        ),
    )


@dataclass(frozen=True)
class Alphabet:
    """The characters with an embedding of their own; row 0 is for padding, row 1 for all other characters."""

    characters: str

    @classmethod
    def of(cls, words: Mapping[str, int], least: int) -> "Alphabet":
        """The characters that occur at least this often, given how often each word does."""
        counts: Counter[str] = Counter()
        for word, count in words.items():
            for character in word:
                counts[character] += count
        return cls("".join(sorted(character for character, count in counts.items() if count >= least)))

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
class FixedVectors:
    """Vectors of lower-cased words from an embedder, which training does not change; no vectors if it has no name."""

    embedder: str
    width: int
    _rows: dict[str, np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, embedder: str, words: Iterable[str]) -> "FixedVectors":
        vectors = cls(embedder, encode(_word_embedder(embedder), ["the"], embedder).shape[1] if embedder else 0)
        vectors.add(words)
        return vectors

    def add(self, words: Iterable[str]) -> None:
        """Look up more words, all at once, as the embedder may have to read a large file."""
        new = sorted({word.lower() for word in words} - self._rows.keys())
        if not self.embedder or not new:
            return
        embedder = _word_embedder(self.embedder)
        known = [word for word, has in zip(new, embedder.covers(new), strict=True) if has]
        self._rows.update((word, np.zeros(self.width, np.float32)) for word in new)
        if known:
            self._rows.update(zip(known, encode(embedder, known, self.embedder), strict=True))

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """(words, width); zeros for a word without a vector, which its characters then tell apart."""
        unknown = np.zeros(self.width, np.float32)
        return np.stack([self._rows.get(word.lower(), unknown) for word in words])


@cache
def _tokenizer() -> Any:
    try:
        import spacy
    except ImportError:
        raise NumprobeError("NAQANet needs spaCy: pip install 'numprobe[drop]'") from None
    return spacy.blank("en").tokenizer


def _word_embedder(name: str) -> Any:
    embedder = load_embedder(name)
    if is_learned(embedder) or not hasattr(embedder, "covers"):
        raise NumprobeError(f"{name!r} has no word vectors; use an embedder such as 'glove-6b-50d'")
    return embedder
