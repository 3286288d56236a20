"""Static vectors of a language model's tokens, averaged over a text (WordLlama)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.sources import local_file, revision
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True)
class StaticTokens:
    """The mean of the vectors of a text's tokens, without special tokens, not normalised: WordLlama's `embed`."""

    name: ClassVar[str] = "static-tokens"

    vectors: str
    tokenizer: str

    @property
    def revision(self) -> str | None:
        return revision(self.vectors, self.tokenizer)

    def pieces(self, texts: list[str]) -> list[list[str]]:
        """The tokens of each text."""
        tokenizer, _ = self._load()
        return [encoding.tokens for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]

    def encode(self, texts: list[str]) -> np.ndarray:
        tokenizer, table = self._load()
        encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
        pooled = np.zeros((len(texts), table.shape[1]), np.float32)
        for row, encoding in zip(pooled, encodings, strict=True):
            if encoding.ids:
                row[:] = table[encoding.ids].mean(axis=0)
        return pooled

    def _load(self) -> "tuple[Tokenizer, np.ndarray]":
        return _load(self.vectors, self.tokenizer, self.revision)


@lru_cache(maxsize=1)
def _load(vectors: str, tokenizer: str, revision: str | None) -> "tuple[Tokenizer, np.ndarray]":
    with one_line_errors(tokenizer):
        from tokenizers import Tokenizer

        loaded = Tokenizer.from_file(local_file(tokenizer))
    loaded.no_padding()
    loaded.no_truncation()
    with one_line_errors(vectors):
        from safetensors.numpy import load_file

        tables = list(load_file(local_file(vectors)).values())
    tokens = loaded.get_vocab_size()
    if len(tables) != 1 or tables[0].ndim != 2 or len(tables[0]) < tokens:
        shapes = ", ".join(str(table.shape) for table in tables)
        raise NumprobeError(f"{vectors} must contain one row for each of {tokens} tokens; its shape is {shapes}")
    return loaded, tables[0].astype(np.float32)
