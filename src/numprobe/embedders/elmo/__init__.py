"""ELMo: two bidirectional LSTM layers over a character network, from its published files."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.base import EVERY_LAYER, check_context
from numprobe.embedders.elmo.files import LSTM_LAYERS, read_options, read_weights
from numprobe.embedders.sources import local_file, revision
from numprobe.errors import NumprobeError, one_of

if TYPE_CHECKING:
    from numprobe.embedders.elmo.network import Network

ALL = np.eye(1 + LSTM_LAYERS, dtype=np.float32)
SHARES = {**{str(layer): ALL[[layer]] for layer in range(len(ALL))}, "mean": ALL.mean(axis=0, keepdims=True)}
"""The share of every layer in the vectors, (1, layers)."""

LAYERS = (*SHARES, *EVERY_LAYER, "mix")
"""Layer 0 reads the characters of each word alone, and both directions are equal; layers 1 and 2 read the sentence.

`all` and `best` probe each layer, and `mix` is for a LayerMix, which learns the shares with the probe.
"""

SENTENCES = 256
"""Sentences that are read at once."""


@dataclass(frozen=True)
class ELMo:
    """ELMo from its published options and weights.

    Each text, or each list of texts, is a sentence that starts from a fresh state: its vectors don't depend on what
    was encoded before, unlike in AllenNLP. A text of several words gets the vector of its last word.
    """

    name: ClassVar[str] = "elmo"

    weights: str
    options: str
    layer: str = "mean"
    context: str = "isolated"

    def __post_init__(self) -> None:
        one_of("layer", self.layer, LAYERS)
        check_context(self.context, self.layer)

    @property
    def network(self) -> "Network":
        return _load(self.weights, self.options, self.revision)

    @property
    def revision(self) -> str | None:
        return revision(self.weights, self.options)

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_in_list([[text] for text in texts])[:, 0]

    def encode_in_list(self, lists: list[list[str]]) -> np.ndarray:
        """(lists, texts, dimension) vectors, where each text is read together with the rest of its list."""
        if self.layer not in SHARES:
            raise NumprobeError(f"layer {self.layer!r} learns with the probe; encode takes {', '.join(SHARES)}")
        vectors: np.ndarray = self._encode(lists, SHARES[self.layer])[0]
        return vectors

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        """(layers, texts, dimension) vectors."""
        return self._encode([[text] for text in texts], ALL)[:, :, 0]

    def _encode(self, lists: Sequence[Sequence[str]], shares: np.ndarray) -> np.ndarray:
        """(shares, lists, texts, dimension). Sentences of similar length are read together."""
        for text in chain.from_iterable(lists):
            if not text.split():
                raise NumprobeError(f"ELMo can't encode {text!r}: it contains no word")
        last = np.array([list(accumulate(len(text.split()) for text in texts)) for texts in lists])
        order = np.argsort(last[:, -1], kind="stable")
        network = self.network
        made = np.empty((len(shares), *last.shape, 2 * network.options.dimension), dtype=np.float32)
        for first in range(0, len(order), SENTENCES):
            rows = order[first : first + SENTENCES]
            layers = network.read([" ".join(lists[row]).split() for row in rows.tolist()])
            found = layers.numpy()[:, np.arange(len(rows))[:, None], last[rows]]
            made[:, rows] = np.tensordot(shares, found, axes=1)
        return made


@lru_cache(maxsize=1)
def _load(weights: str, options: str, revision: str | None) -> "Network":
    from numprobe.embedders.elmo.network import Network

    read = read_options(local_file(options))
    return Network(read, read_weights(local_file(weights), read))
