"""Networks over the characters of a number: Char-CNN and Char-LSTM, learned or untrained."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numprobe.embedders.base import WIDEST, Drawn, Reading
from numprobe.errors import at_least, at_most, one_of
from numprobe.kernels.parameters import Layout, Parameter, Weights, bilstm_layout, initial, linear_layout
from numprobe.numbers import generator

if TYPE_CHECKING:
    from torch import Tensor

PADDINGS = ("left", "right", "same")
ACTIVATIONS = ("none", "relu", "tanh")
WIDTHS = (2, 3, 4, 5)
"""Filter widths of the Char-CNN, in characters; shorter texts are padded to the widest."""

PAD, UNKNOWN, OUTSIDE = 0, 1, -1
CHARACTERS = 2 + 95
"""Padding, unknown, and the printable ASCII characters."""


def character_ids(texts: Sequence[str], padding: str) -> np.ndarray:
    """One row of character ids per text; OUTSIDE fills the rows up to the longest.

    Left and right padding extend a text to the width of the widest filter (Appendix B); `same` adds half of that
    width on either side.

    >>> character_ids(["7", "75"], "left").tolist()
    [[0, 0, 0, 0, 25], [0, 0, 0, 25, 23]]
    """
    widest = max(WIDTHS)
    rows = []
    for text in texts:
        ids = [ord(c) - 30 if " " <= c <= "~" else UNKNOWN for c in text]
        missing = [PAD] * max(0, widest - len(ids))
        around = [PAD] * (widest // 2)
        rows.append({"left": missing + ids, "right": ids + missing, "same": around + ids + around}[padding])
    longest = max(map(len, rows))
    return np.array([row + [OUTSIDE] * (longest - len(row)) for row in rows])


def _used(ids: np.ndarray) -> "tuple[Tensor, np.ndarray]":
    """The distinct characters, and the ids as positions among them; OUTSIDE becomes the first."""
    import torch

    used, compact = np.unique(np.maximum(ids, PAD), return_inverse=True)
    return torch.from_numpy(used), compact.reshape(ids.shape)


@dataclass(frozen=True)
class CharCNN:
    """Convolutions of 2 to 5 characters with max pooling over the positions (400-d: 4 widths × 100 filters).

    By default there is no activation after the maximum, which decoded better than tanh or ReLU in trials where the
    filters learn; the released code uses a ReLU (`activation=relu`).
    """

    name: ClassVar[str] = "char-cnn"

    padding: str = "left"
    filters: int = 100
    character_dimension: int = 64
    activation: str = "none"

    def __post_init__(self) -> None:
        one_of("padding", self.padding, PADDINGS)
        at_least(1, filters=self.filters, character_dimension=self.character_dimension)
        at_most(WIDEST, filters=self.filters, character_dimension=self.character_dimension)
        one_of("activation", self.activation, ACTIVATIONS)

    @property
    def dimension(self) -> int:
        return len(WIDTHS) * self.filters

    def layout(self) -> Layout:
        layout = dict(_characters_layout(self.character_dimension))
        for width in WIDTHS:
            layout |= linear_layout(f"filters{width}", width * self.character_dimension, self.filters)
        return layout

    def read(self, texts: Sequence[str]) -> Reading:
        """For each width: the windows of the text as one-hot vectors, and which of them are inside the text."""
        import torch

        ids = character_ids(texts, self.padding)
        alphabet, compact = _used(ids)
        tensors = []
        for width in WIDTHS:
            windows = np.lib.stride_tricks.sliding_window_view(compact, width, axis=1)
            inside = np.lib.stride_tricks.sliding_window_view(ids, width, axis=1)[..., -1] != OUTSIDE
            one_hot = torch.nn.functional.one_hot(torch.from_numpy(windows.copy()), len(alphabet))
            tensors += [one_hot.flatten(2).float(), torch.from_numpy(inside)]
        return Reading(alphabet, tuple(tensors))

    def vectors(self, weights: Weights, reading: Reading) -> "Tensor":
        import torch

        from numprobe.kernels.layers import spread

        characters = weights["characters"][:, reading.alphabet]
        pooled = []
        for width, one_hot, inside in zip(WIDTHS, reading.tensors[::2], reading.tensors[1::2], strict=True):
            datasets, n, positions, _ = one_hot.shape
            probes = len(characters)
            # A filter's response to each character at each position; the response to a window is their sum.
            filters = weights[f"filters{width}.weight"].view(probes, width, -1, self.filters)
            answers = torch.matmul(characters[:, None], filters).reshape(probes, -1, self.filters)
            windows = spread(one_hot.view(datasets, n * positions, -1), probes)
            convolved = torch.bmm(windows, answers).view(probes, n, positions, -1)
            if not inside.all():
                convolved = convolved.masked_fill(~spread(inside, probes)[..., None], -math.inf)
            pooled.append(convolved.max(dim=2).values + weights[f"filters{width}.bias"][:, None])
        joined = torch.cat(pooled, dim=2)
        return joined if self.activation == "none" else getattr(torch, self.activation)(joined)


@dataclass(frozen=True)
class CharLSTM:
    """The last states of both directions of an LSTM over the characters (200-d)."""

    name: ClassVar[str] = "char-lstm"

    padding: str = "left"
    hidden: int = 100
    character_dimension: int = 64

    def __post_init__(self) -> None:
        one_of("padding", self.padding, PADDINGS)
        at_least(1, hidden=self.hidden, character_dimension=self.character_dimension)
        at_most(WIDEST, hidden=self.hidden, character_dimension=self.character_dimension)

    @property
    def dimension(self) -> int:
        return 2 * self.hidden

    def layout(self) -> Layout:
        return {
            **_characters_layout(self.character_dimension),
            **bilstm_layout("lstm", self.character_dimension, self.hidden),
        }

    def read(self, texts: Sequence[str]) -> Reading:
        """For both directions: the character at each place, its prefix, and whether it is inside the text."""
        import torch

        from numprobe.kernels.prefixes import prefixes

        ids = character_ids(texts, self.padding)
        alphabet, compact = _used(ids)
        beginnings = np.stack([prefixes(ids), prefixes(ids[:, ::-1])], axis=1)
        symbols, inside = (np.stack([given, given[:, ::-1]], axis=1) for given in (compact, ids != OUTSIDE))
        return Reading(alphabet, tuple(map(torch.from_numpy, (symbols, beginnings, inside))))

    def vectors(self, weights: Weights, reading: Reading) -> "Tensor":
        from numprobe.kernels.prefixes import last_states

        return last_states(weights, "lstm", weights["characters"][:, reading.alphabet], *reading.tensors)


def _characters_layout(dimension: int) -> Layout:
    return {"characters": Parameter((CHARACTERS, dimension), bound=math.sqrt(6 / (CHARACTERS + dimension)))}


def _encode_untrained(network: "UntrainedCNN | UntrainedLSTM", texts: list[str]) -> np.ndarray:
    import torch

    at_least(0, seed=network.drawn_with)
    weights = initial(network.layout(), [generator(network.drawn_with, network.name)])
    rows = torch.arange(len(texts))[None]
    return network.vectors(weights, network.read(texts).take(rows))[0].numpy()


@dataclass(frozen=True)
class UntrainedCNN(Drawn, CharCNN):
    """The Char-CNN with random weights, before any training, and the released code's ReLU."""

    name: ClassVar[str] = "untrained-cnn"

    activation: str = "relu"
    seed: int | None = None
    """Each shuffle draws its own network, unless a seed is given."""

    encode = _encode_untrained


@dataclass(frozen=True)
class UntrainedLSTM(Drawn, CharLSTM):
    """The Char-LSTM with random weights, before any training."""

    name: ClassVar[str] = "untrained-lstm"

    seed: int | None = None
    """Each shuffle draws its own network, unless a seed is given."""

    encode = _encode_untrained
