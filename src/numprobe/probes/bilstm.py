"""The BiLSTM: reads a list and chooses one of its numbers (Section 3.1)."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.kernels.parameters import Layout, Parameter, Weights, bilstm_layout
from numprobe.probes.network import NetworkProbe, Recipe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

SHARPNESS = 32.0
"""Factor on the scores of a list's positions.

States lie between -1 and 1, so scores that tell close numbers of a large range apart need large weights, and these take
long to grow. With the factor, the learned Char-CNN on [0,9999] went from 0.81 to 0.98 in 1,200 steps.
"""


@dataclass(frozen=True)
class BiLSTM(NetworkProbe):
    """A bidirectional LSTM that reads the list and scores each position."""

    name: ClassVar[str] = "bilstm"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CHOICE})
    recipe: ClassVar[Recipe] = Recipe((100,), (5e-3, 1e-2), batch=64, steps=200, growth=0.3, most_steps=1100, trial=0.3)
    seconds_per_step: ClassVar[float] = 0.009
    items_at_once: ClassVar[int] = 250

    def length(self, numbers: int, learned: bool, further: bool) -> float:
        """Vectors are longer for more numbers, or the LSTM could not tell neighbours apart.

        Fixed vectors on [0,999]: from 0.2 to 4, the untrained LSTM went from 0.37 to 0.70 and MiniLM from 0.27 to 0.52.
        A network that learns its vectors can move them apart. Between the numbers it has seen, short ones generalise
        better (Char-CNN on [0,999] went from 0.86 to 0.98 from 2 to 0.2), and beyond them long ones (Char-CNN from
        [0,120] to [121,150] went from 0.52 to 1.00 from 0.2 to 2).
        """
        if not learned:
            return min(8.0, math.sqrt(numbers) / 8)
        return 2.0 if further else max(0.2, numbers / 5000)

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        return {**bilstm_layout("lstm", dimension, width), "score.weight": Parameter((2, width), bound=width**-0.5)}

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items, arity) scores of the positions."""
        import torch

        from numprobe.kernels.layers import bilstm

        states = bilstm(weights, "lstm", vectors, numbers)
        scores = torch.einsum("pdtih,pdh->dpit", states, weights["score.weight"])
        return SHARPNESS * (scores[0] + scores[1].flip(2))
