"""Static vectors of a language model's tokens, averaged over a text (WordLlama)."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.sources import file, revision
from numprobe.embedders.weights.reading import reading
from numprobe.errors import NumprobeError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True)
class StaticTokens:
    """The mean of the vectors of a text's tokens, without special ones, not normalised: WordLlama's `embed`."""

    name: ClassVar[str] = "static-tokens"

    vectors: str
    tokenizer: str

    @property
    def revision(self) -> str | None:
        return revision(self.vectors, self.tokenizer)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        """The tokens of each text."""
        return [encoding.tokens for encoding in self._tokenizer.encode_batch(texts, add_special_tokens=False)]

    def encode(self, texts: list[str]) -> np.ndarray:
        encodings = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        pooled = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for row, encoding in zip(pooled, encodings, strict=True):
            if encoding.ids:
                row[:] = self._table[encoding.ids].mean(axis=0)
        return pooled

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        with reading(self.tokenizer):
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(file(self.tokenizer))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _table(self) -> np.ndarray:
        with reading(self.vectors):
            from safetensors.numpy import load_file

            tables = list(load_file(file(self.vectors)).values())
        tokens = self._tokenizer.get_vocab_size()
        if len(tables) != 1 or tables[0].ndim != 2 or len(tables[0]) < tokens:
            shapes = ", ".join(str(table.shape) for table in tables)
            raise NumprobeError(f"{self.vectors} must hold one row for each of {tokens} tokens, and holds {shapes}")
        return tables[0].astype(np.float32)
