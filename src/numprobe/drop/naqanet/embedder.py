"""What a trained NAQANet sees of a number: the fixed vector of the word, and the output of its Char-CNN."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.sources import locate, revision
from numprobe.errors import NumprobeError

if TYPE_CHECKING:
    from numprobe.drop.naqanet.answering import NAQANetReader


@dataclass(frozen=True)
class NAQANetCharacters:
    """The Char-CNN of a trained NAQANet: the maximum of each filter over the characters of a text."""

    name: ClassVar[str] = "naqanet-chars"

    model: str

    @property
    def revision(self) -> str | None:
        from numprobe.drop.naqanet.files import model_path

        return revision(str(model_path(locate(self.model) or self.model)))

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, filters); computed text by text, so that a vector does not depend on the other texts."""
        weights = self._reader.network.characters.state_dict()
        characters, filters, bias = (
            weights[name].numpy() for name in ("embedding.weight", "convolution.weight", "convolution.bias")
        )
        # PyTorch's unfold puts the window last.
        filters = filters.reshape(len(filters), characters.shape[1], -1)
        made = np.empty((len(texts), len(filters)), np.float32)
        for row, text in enumerate(texts):
            read = characters[self._reader.alphabet.rows([text])[0]]
            windows = np.lib.stride_tricks.sliding_window_view(read, filters.shape[2], axis=0)
            made[row] = (np.einsum("pcw,fcw->pf", windows, filters) + bias).max(axis=0)
        return np.maximum(made, 0)

    @cached_property
    def _reader(self) -> "NAQANetReader":
        from numprobe.drop.naqanet.files import load_reader

        return load_reader(locate(self.model) or self.model)


@dataclass(frozen=True)
class NAQANetWords(NAQANetCharacters):
    """All that a trained NAQANet sees of a word: its fixed vector, or zeros, followed by the Char-CNN's output."""

    name: ClassVar[str] = "naqanet"

    def encode(self, texts: list[str]) -> np.ndarray:
        words = self._reader.words
        if not words.embedder:
            raise NumprobeError(f"the NAQANet in {self.model} was trained without word vectors: use naqanet-chars")
        return np.concatenate((words.of_words(texts), super().encode(texts)), axis=1)
