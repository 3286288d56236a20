"""What a trained NAQANet sees of a number: the vector of its word, and what its network over characters makes of it."""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np

from numprobe.embedders.base import encode
from numprobe.embedders.sources import locate, revision
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import parse_json

MODEL = "model.safetensors"
SHIPPED = Path(str(files(__package__)))
"""The folder of the model that comes with numprobe."""
LONGEST_WORD = 50
"""Further characters are not read: one mad token would make a whole batch as wide as itself."""


@dataclass(frozen=True)
class NAQANetCharacters:
    """The Char-CNN of a trained NAQANet: the largest answer of each filter to the characters of a text."""

    model: str

    @property
    def revision(self) -> str | None:
        return revision(str(_path(self.model)))

    def encode(self, texts: list[str]) -> np.ndarray:
        return self._network.encode(texts)

    @cached_property
    def _network(self) -> "CharacterNetwork":
        return CharacterNetwork.read(self.model)


@dataclass(frozen=True)
class NAQANetWords(NAQANetCharacters):
    """All that a trained NAQANet sees of a word: its fixed vector beside its Char-CNN's; zeros where it has none."""

    def encode(self, texts: list[str]) -> np.ndarray:
        words = [text.lower() for text in texts]
        return np.concatenate((self._vectors(words), super().encode(texts)), axis=1)

    def _vectors(self, words: list[str]) -> np.ndarray:
        network = self._network
        if not network.vectors:
            raise NumprobeError(f"the NAQANet in {self.model} was trained without word vectors; take naqanet-chars")
        from numprobe.embedders.registry import load_embedder

        embedder = load_embedder(network.vectors)
        has = np.asarray(embedder.covers(words), dtype=bool)
        vectors = np.zeros((len(words), network.width), np.float32)
        if has.any():
            known = [word for word, is_known in zip(words, has, strict=True) if is_known]
            vectors[has] = encode(embedder, known, network.vectors)
        return vectors


@dataclass(frozen=True)
class CharacterNetwork:
    """The part of a trained model that reads characters. Rows 0 and 1 are for padding and for unknown characters."""

    alphabet: str
    vectors: str
    """The embedder of the word vectors; empty if there are none."""
    width: int
    """Of the word vectors."""
    characters: np.ndarray
    filters: np.ndarray
    """(filters, window × width of a character)"""
    bias: np.ndarray

    @classmethod
    def read(cls, source: str) -> "CharacterNetwork":
        """From the folder of a training."""
        from safetensors import SafetensorError, safe_open

        path = _path(source)
        names = ("embedding.weight", "convolution.weight", "convolution.bias")
        try:
            with safe_open(path, "numpy") as file:
                about = parse_json((file.metadata() or {})["numprobe"], path)
                tensors = [file.get_tensor(f"characters.{name}") for name in names]
            return cls(about["alphabet"], about["vectors"]["embedder"], about["vectors"]["width"], *tensors)
        except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
            raise NumprobeError(f"{path} holds no NAQANet that this version of numprobe can read: {error}") from error

    def encode(self, texts: list[str]) -> np.ndarray:
        """(texts, filters); windows lie within a text, or begin with it if it is shorter than they are."""
        rows = {character: row for row, character in enumerate(self.alphabet, 2)}
        width = self.characters.shape[1]
        window = self.filters.shape[1] // width
        # A filter's weights for each character of its window: as PyTorch's unfold lays them out, the window is last.
        filters = self.filters.reshape(-1, width, window)
        made = np.empty((len(texts), len(filters)), np.float32)
        for row, text in enumerate(texts):
            known = [rows.get(character, 1) for character in text[:LONGEST_WORD]]
            read = self.characters[known + [0] * (window - len(known))]
            windows = np.lib.stride_tricks.sliding_window_view(read, window, axis=0)
            made[row] = (np.einsum("pcw,fcw->pf", windows, filters) + self.bias).max(axis=0)
        return np.maximum(made, 0)


def _path(source: str) -> Path:
    """The file that holds a model, of the folder that a source names."""
    path = (locate(source) or Path(source)) / MODEL
    if not path.is_file():
        raise NumprobeError(f"{path.parent} holds no trained NAQANet: there is no {MODEL}")
    return path
