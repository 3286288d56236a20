"""The probing models: who answers (Section 3.1)."""

import math
from typing import ClassVar, Protocol

import torch
from torch import Tensor

from numprobe.kernels.layers import bilstm, concatenated, spread
from numprobe.kernels.parameters import Layout, Parameter, Weights, bilstm_layout, linear_layout

GAIN = 0.5
"""Hidden layers start small, so that they learn few directions instead of memorising with many."""

SHARPNESS = 32.0
"""Factor on the scores of a list's positions.

States lie between -1 and 1, so scores that tell close numbers of a large range apart need large weights, and
those take long to grow. With the factor, learned Char-CNN on [0,9999] went from 0.81 to 0.98 in 1,200 steps.
"""


class Model(Protocol):
    """A network over the vectors of an item's numbers, for a whole bank."""

    name: ClassVar[str]
    items_at_once: ClassVar[int]
    """Outside training, which bounds memory."""

    def length(self, numbers: int, learned: bool, further: bool) -> float:
        """About the length of the vectors that it reads, after centring, for so many numbers.

        Vectors that are learned with the probe have it when the training starts. `further` is extrapolation.
        """

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        """Its weights, for vectors of this dimension and this many numbers per item."""

    def forward(self, weights: Weights, vectors: Tensor, numbers: Tensor) -> Tensor:
        """Answers to items.

        `vectors` is (datasets or probes, n, dimension), `numbers` (datasets, items, arity) positions in it.
        The first layer is computed once per vector and not once per occurrence, where that is less work.
        """


class MLP:
    """Three fully connected layers with ReLU over the concatenated vectors; answers (probes, items)."""

    name: ClassVar[str] = "mlp"
    items_at_once: ClassVar[int] = 10_000

    def length(self, numbers: int, learned: bool, further: bool) -> float:
        """Small: a probe whose first layer must grow to be heard picks up the few directions that count.

        Large inputs would let it memorise each number.
        """
        return 0.5

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        first = linear_layout("first", arity * dimension, width, GAIN)
        return {**first, **linear_layout("second", width, width, GAIN), **linear_layout("third", width, 1)}

    def forward(self, weights: Weights, vectors: Tensor, numbers: Tensor) -> Tensor:
        numbers = spread(numbers, len(weights["first.weight"]))
        hidden = concatenated(vectors, weights["first.weight"], weights["first.bias"], numbers)
        hidden = torch.baddbmm(weights["second.bias"][:, None], hidden.relu(), weights["second.weight"])
        return torch.baddbmm(weights["third.bias"][:, None], hidden.relu(), weights["third.weight"])[:, :, 0]


class BiLSTM:
    """A bidirectional LSTM reads the list and scores each position; answers (probes, items, arity)."""

    name: ClassVar[str] = "bilstm"
    items_at_once: ClassVar[int] = 250

    def length(self, numbers: int, learned: bool, further: bool) -> float:
        """Longer for more numbers, or neighbours come too close to be told apart.

        Fixed vectors on [0,999]: untrained LSTM went from 0.37 to 0.70 and MiniLM from 0.27 to 0.52 when this went from
        0.2 to 4. A network that learns its vectors can move them apart. Between numbers that it has seen, shorter ones
        generalise better (Char-CNN on [0,999] went from 0.86 to 0.98 when this went from 2 to 0.2), and beyond them
        longer ones (from [0,120] to [121,150], Char-CNN went from 0.52 to 1.00 when this went from 0.2 to 2).
        """
        if not learned:
            return min(8.0, math.sqrt(numbers) / 8)
        return 2.0 if further else max(0.2, numbers / 5000)

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        return {**bilstm_layout("lstm", dimension, width), "score.weight": Parameter((2, width), bound=width**-0.5)}

    def forward(self, weights: Weights, vectors: Tensor, numbers: Tensor) -> Tensor:
        states = bilstm(weights, "lstm", vectors, numbers)
        scores = torch.einsum("pdtih,pdh->dpit", states, weights["score.weight"])
        return SHARPNESS * (scores[0] + scores[1].flip(2))


MODELS: dict[str, Model] = {model.name: model for model in (MLP(), BiLSTM())}
