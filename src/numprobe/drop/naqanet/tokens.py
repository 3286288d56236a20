"""The words and marks of a text, each with its place, so that answers are slices of the text."""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from numprobe.errors import NumprobeError

_PIECES = re.compile("[-–~]|[^-–~]+")
"""A token is split at these marks ("43-yard", "20–17"), which stay as tokens."""


@dataclass(frozen=True)
class Tokens:
    text: str
    places: tuple[tuple[int, int], ...]
    """Where each token begins and ends."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text[start:end] for start, end in self.places)

    def between(self, first: int, last: int) -> str:
        """The text from one token to another, as it is written."""
        return self.text[self.places[first][0] : self.places[last][1]]

    def first(self, most: int) -> "Tokens":
        """The first tokens, at most so many."""
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


@cache
def _tokenizer() -> Any:
    try:
        import spacy
    except ImportError:
        raise NumprobeError("NAQANet needs spaCy: pip install 'numprobe[drop]'") from None
    return spacy.blank("en").tokenizer
