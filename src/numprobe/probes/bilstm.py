"""The BiLSTM: reads a list and chooses one of its numbers (Section 3.1)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.kernels.parameters import Layout, Parameter, Weights, bilstm_layout
from numprobe.probes.network import NetworkProbe, Recipe, Way
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

WIDTH = 100
"""As in the released code."""

SHARPNESS = 32.0
"""Factor on the scores of a list's positions.

States lie between -1 and 1, so scores that tell close numbers of a large range apart need large weights, and these take
long to grow. With the factor, the learned Char-CNN on [0,9999] went from 0.81 to 0.98 in 1,200 steps.
"""

FORGET = 1.0
"""Where the biases of the forget gates start, so that an untrained LSTM remembers."""


@dataclass(frozen=True)
class BiLSTM(NetworkProbe):
    """A bidirectional LSTM that reads the list and scores each position."""

    name: ClassVar[str] = "bilstm"
    version: ClassVar[int] = 2
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CHOICE})
    recipe: ClassVar[Recipe] = Recipe(
        ways=(
            Way(rate=0.05, length=0.1, batch=256),
            Way(rate=0.05, length=1.5, batch=256),
            Way(rate=0.01, length=1.5, batch=256),
        ),
        steps=100,
        anneals=False,
        embedder_share=0.2,
    )
    seconds_per_step: ClassVar[float] = 0.008
    items_at_once: ClassVar[int] = 250

    most_steps: int = 6_400

    def layout(self, dimension: int, arity: int) -> Layout:
        return {
            **bilstm_layout("lstm", dimension, WIDTH, FORGET),
            "score.weight": Parameter((2, WIDTH), bound=WIDTH**-0.5),
        }

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items, arity) scores of the positions."""
        import torch

        from numprobe.kernels.layers import bilstm

        scaled = weights["lstm.input"] * weights["lengths"].view(-1, 1, 1, 1)  # less work than to scale its gates
        states = bilstm({**weights, "lstm.input": scaled}, "lstm", vectors, numbers)
        probes, _, time, items, width = states.shape
        scores = torch.bmm(states.view(2 * probes, -1, width), SHARPNESS * weights["score.weight"].view(-1, width, 1))
        scores = scores.view(probes, 2, time, items)
        return (scores[:, 0] + scores[:, 1].flip(1)).transpose(1, 2)
