"""The vectors of the words that NAQANet reads: of the words alone, of words in their text, or both side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from numprobe.drop.naqanet.reading import TokenizedPassage, TokenizedQuestion
from numprobe.drop.naqanet.vocabulary import Tokens
from numprobe.embedders import encode, is_learned, load_embedder, pinned
from numprobe.embedders.tables import cached
from numprobe.errors import NumprobeError
from numprobe.files.reading import tell

TABLE_TEXTS = 200
"""Texts in one file of the cache: what an interruption loses."""


@dataclass(frozen=True)
class WordInput:
    """Vectors which training does not change; none if the embedder has no name."""

    embedder: str
    """Several, joined by "+", put their vectors side by side."""
    width: int

    @classmethod
    def of(cls, embedder: str) -> "WordInput":
        """The input that an embedder, or several, give.

        >>> WordInput.of("")
        WordInput(embedder='', width=0)
        """
        found = cls(embedder, 0)
        return cls(embedder, sum(part.of_texts([Tokens("the", ((0, 3),))])[0].shape[1] for part in found._parts))

    @property
    def depends_on_text(self) -> bool:
        """Whether the vector of a word depends on the words around it."""
        return any(isinstance(part, _States) for part in self._parts)

    def add(self, readings: Sequence[TokenizedPassage]) -> None:
        """Look up what these readings need, all at once, as an embedder may have to read a large file."""
        texts = dict.fromkeys(
            text
            for reading in readings
            for text in (reading.shown, reading.tokens, *(question.tokens for question in reading.questions))
        )
        for part in self._parts:
            part.add(list(texts))

    def of_passages(self, readings: Sequence[TokenizedPassage]) -> np.ndarray:
        """(passages, tokens, width)"""

        def own(part: "_Words | _States") -> list[np.ndarray]:
            found = part.of_texts([reading.shown for reading in readings])
            for row, reading in enumerate(readings):
                if reading.swapped and reading.shown != reading.tokens:
                    (before,) = part.of_texts([reading.tokens])
                    is_new = np.array(reading.seen) != np.array(reading.tokens.words)
                    found[row] = np.where(is_new[:, None], found[row], before)
            return found

        return self._joined(len(readings), max(len(reading.seen) for reading in readings), own)

    def of_questions(self, questions: Sequence[TokenizedQuestion]) -> np.ndarray:
        """(questions, tokens, width)"""
        texts = [question.tokens for question in questions]
        return self._joined(len(texts), max(len(text.places) for text in texts), lambda part: part.of_texts(texts))

    def of_words(self, words: Sequence[str]) -> np.ndarray:
        """(words, width), each word as a text of its own."""
        texts = [Tokens(word, ((0, len(word)),)) for word in words]
        for part in self._parts:
            part.add(texts)
        return self._joined(len(texts), 1, lambda part: part.of_texts(texts))[:, 0]

    def _joined(
        self, texts: int, longest: int, own: "Callable[[_Words | _States], Sequence[np.ndarray]]"
    ) -> np.ndarray:
        """(texts, longest, width), filled with zeros."""
        made = np.zeros((texts, longest, self.width), np.float32)
        end = 0
        for part in self._parts:
            found = own(part)
            start, end = end, end + found[0].shape[1]
            for row, vectors in enumerate(found):
                made[row, : len(vectors), start:end] = vectors
        return made

    @cached_property
    def _parts(self) -> "list[_Words | _States]":
        return [_part(name) for name in self.embedder.split("+") if name]


@dataclass(frozen=True)
class _Words:
    """Vectors of lower-cased words, whatever their text; zeros for a word without a vector, which has characters."""

    name: str
    embedder: Any
    rows: dict[str, np.ndarray] = field(default_factory=dict)

    def add(self, texts: Sequence[Tokens]) -> None:
        new = sorted({word.lower() for text in texts for word in text.words} - self.rows.keys())
        known = [word for word, has in zip(new, self.embedder.covers(new), strict=True) if has]
        vectors = encode(self.embedder, known or ["the"], self.name)
        self.rows.update((word, np.zeros(vectors.shape[1], np.float32)) for word in new)
        if known:
            self.rows.update(zip(known, vectors, strict=True))

    def of_texts(self, texts: Sequence[Tokens]) -> list[np.ndarray]:
        if any(word.lower() not in self.rows for text in texts for word in text.words):
            self.add(texts)
        return [np.stack([self.rows[word.lower()] for word in text.words]) for text in texts]


@dataclass(frozen=True)
class _States:
    """The states of words in their texts, in half precision, from a cache on disk."""

    name: str
    embedder: Any
    states: dict[Tokens, np.ndarray] = field(default_factory=dict)

    def add(self, texts: Sequence[Tokens]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self.states]
        for start in range(0, len(new), TABLE_TEXTS):
            tell(f"reading {len(new):,} texts with {self.name}", start, len(new))
            some = new[start : start + TABLE_TEXTS]
            words = [len(text.places) for text in some]
            table = self._table(some)
            self.states.update(zip(some, np.split(table, np.cumsum(words)[:-1]), strict=True))

    def of_texts(self, texts: Sequence[Tokens]) -> list[np.ndarray]:
        if any(text not in self.states for text in texts):
            self.add(texts)
        return [self.states[text] for text in texts]

    def _table(self, texts: Sequence[Tokens]) -> np.ndarray:
        """(words of all texts, width)"""

        def make() -> np.ndarray:
            found = dict(self.embedder.encode_words([text.text for text in texts], [text.places for text in texts]))
            return np.concatenate([found[place].astype(np.float16) for place in range(len(texts))])

        revision = pinned(self.embedder)
        if revision is None:
            return make()
        about = {
            "embedder": self.name,
            "revision": revision,
            "version": str(getattr(self.embedder, "version", 1)),
            "texts": "words of running text",
            "count": str(len(texts)),
        }
        return cached(about, [f"{text.text}\n{text.places}" for text in texts], lambda _: make())


def _part(name: str) -> "_Words | _States":
    embedder = load_embedder(name)
    if hasattr(embedder, "encode_words"):
        return _States(name, embedder)
    if is_learned(embedder) or not hasattr(embedder, "covers"):
        raise NumprobeError(f"{name!r} has no word vectors; use an embedder such as 'glove-6b-50d'")
    return _Words(name, embedder)
