"""From text to what NAQANet reads: tokens, and the characters of a word."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Any

import numpy as np

from numprobe.errors import NumprobeError

SHORTEST_WORD, LONGEST_WORD = 5, 50
"""Shorter words are padded to the convolution's window; longer ones are cut, as a batch is as wide as its longest."""
_PIECES = re.compile("[-–~]|[^-–~]+")
"""Tokens are split at these marks ("43-yard", "20–17"); the marks stay as tokens."""

_COMMON = frozenset(
    "a about all also an and any are as at be been both but by can could did do does for from had has have he her his "
    "how i if in into is it its many more most much no not of on or out she so than that the their them then there "
    "these they this those to was were what when where which while who whom whose why will with would 's n't".split()
)
"""Words that stand in most texts."""


@dataclass(frozen=True)
class Tokens:
    """The words and punctuation marks of a text, with their places, so that answers are slices of the text."""

    text: str
    places: tuple[tuple[int, int], ...]
    """Where each token starts and ends."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text[start:end] for start, end in self.places)

    def replaced(self, words: Sequence[str]) -> "Tokens":
        """The same text with other words in place of its own.

        >>> tokenize("Gould's 43-yard kick").replaced(["Gould", "'s", "430", "-", "yard", "kick"]).text
        "Gould's 430-yard kick"
        """
        pieces, places, end, length = [], [], 0, 0
        for (start, stop), word in zip(self.places, words, strict=True):
            gap = self.text[end:start]
            places.append((length + len(gap), length + len(gap) + len(word)))
            pieces += [gap, word]
            end, length = stop, places[-1][1]
        return Tokens("".join(pieces) + self.text[end:], tuple(places))

    def between(self, first: int, last: int) -> str:
        """The text from one token to another."""
        return self.text[self.places[first][0] : self.places[last][1]]


def tokenize(text: str, most: int | None = None) -> Tokens:
    """The tokens of spaCy's English tokenizer, split at hyphens; at most this many from the start.

    >>> tokenize("Gould's 43-yard field goal").words
    ('Gould', "'s", '43', '-', 'yard', 'field', 'goal')
    """
    places = (
        (token.idx + piece.start(), token.idx + piece.end())
        for token in _tokenizer()(text)
        if not token.is_space
        for piece in _PIECES.finditer(token.text)
    )
    return Tokens(text, tuple(islice(places, most)))


def stem(word: str) -> str:
    """What two words share that name the same thing; nothing for common words and punctuation.

    >>> stem("Germans"), stem("german"), stem("the"), stem("-")
    ('german', 'german', '', '')
    """
    lower = word.lower()
    is_common = lower in _COMMON or not any(map(str.isalnum, lower))
    return "" if is_common else lower.removesuffix("s")


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


@cache
def _tokenizer() -> Any:
    try:
        import spacy
    except ImportError:
        raise NumprobeError("NAQANet needs spaCy: pip install 'numprobe[drop]'") from None
    return spacy.blank("en").tokenizer
