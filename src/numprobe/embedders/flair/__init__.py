"""Flair's character language models: a forward and a backward LSTM that read a text letter by letter."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.base import check_context
from numprobe.embedders.sources import local_file, revision
from numprobe.errors import NumprobeError, one_of

if TYPE_CHECKING:
    from numprobe.embedders.flair.network import CharacterModel

READINGS = {"character": "", "space": " "}
"""What the models read behind a text before their states are taken."""


@dataclass(frozen=True)
class Flair:
    """Flair's character language models, from a file that holds a forward and a backward one (Akbik et al., 2018).

    The vector of a text is the state of the forward model after its last character, and that of the backward model,
    which reads from right to left, after its first.
    """

    name: ClassVar[str] = "flair"

    model: str
    reading: str = "character"
    """Where the states are taken: at the `character`, as the tagger in the published file does, or at the `space`
    behind it, as Flair does by default."""
    context: str = "isolated"

    def __post_init__(self) -> None:
        one_of("reading", self.reading, READINGS)
        check_context(self.context, "")

    @property
    def revision(self) -> str | None:
        return revision(self.model)

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, dimension)"""
        return self._read([("", text, "") for text in texts])

    def encode_at(self, texts: list[str], spans: Sequence[tuple[int, int]], layers: bool = False) -> np.ndarray:
        """(texts, dimension), read where the spans say. Flair puts spaces around every word, also before a comma."""
        return self._read([_apart(text, *span) for text, span in zip(texts, spans, strict=True)])

    def encode_in_list(self, lists: list[list[str]]) -> np.ndarray:
        """(lists, texts, dimension) vectors, where each text is read together with the rest of its list."""
        parts = []
        for texts in lists:
            joined = " ".join(texts)
            ends = accumulate(len(text) + 1 for text in texts)
            parts += [_apart(joined, end - 1 - len(text), end - 1) for text, end in zip(texts, ends, strict=True)]
        vectors = self._read(parts)
        return vectors.reshape(len(lists), -1, vectors.shape[-1])

    def _read(self, parts: Sequence[tuple[str, str, str]]) -> np.ndarray:
        """(parts, dimension), given what stands before each text, the text, and what stands behind it."""
        for _, text, _ in parts:
            if not text.strip():
                raise NumprobeError(f"Flair can't encode {text!r}: it contains no word")
        forward, backward = _load(self.model, self.revision)
        last = READINGS[self.reading]
        states = (
            forward.states([before + text + last for before, text, _ in parts]),
            backward.states([(text + after)[::-1] + last for _, text, after in parts]),
        )
        return np.concatenate(states, axis=1)


def _apart(text: str, start: int, end: int) -> tuple[str, str, str]:
    """What stands before a span, the span, and what stands behind it, with spaces between them.

    >>> _apart("For $75, please", 5, 7)
    ('For $ ', '75', ' , please')
    """
    before, after = text[:start], text[end:]
    return (
        before + " " if before and not before[-1].isspace() else before,
        text[start:end],
        " " + after if after and not after[0].isspace() else after,
    )


@lru_cache(maxsize=1)
def _load(model: str, revision: str | None) -> "tuple[CharacterModel, CharacterModel]":
    from numprobe.embedders.flair.files import read_character_models

    return read_character_models(local_file(model))
