"""The MLP: three fully connected layers that give a value (Section 3.1)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.kernels.parameters import Layout, Weights, linear_layout
from numprobe.probes.network import NetworkProbe, Recipe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

GAIN = 0.5
"""Hidden layers start small, so that they learn a few directions instead of memorising with many."""


@dataclass(frozen=True)
class MLP(NetworkProbe):
    """Three fully connected layers with ReLU over the concatenated vectors."""

    name: ClassVar[str] = "mlp"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    # One width is tried. A wider one was no better (untrained CNN, decoding [0,99], an older recipe).
    recipe: ClassVar[Recipe] = Recipe(
        (100,), (1e-2, 3e-3, 3e-2), batch=32, steps=1000, growth=0.3, most_steps=5000, trial=0.5
    )
    seconds_per_step: ClassVar[float] = 0.0008
    items_at_once: ClassVar[int] = 10_000

    def length(self, numbers: int, learned: bool, further: bool) -> float:
        """Short vectors make the first layer grow along the few directions that count.

        With long ones the probe could memorise each number.
        """
        return 0.5

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        first = linear_layout("first", arity * dimension, width, GAIN)
        return {**first, **linear_layout("second", width, width, GAIN), **linear_layout("third", width, 1)}

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items) values."""
        import torch

        from numprobe.kernels.layers import concatenated, spread

        numbers = spread(numbers, len(weights["first.weight"]))
        hidden = concatenated(vectors, weights["first.weight"], weights["first.bias"], numbers)
        hidden = torch.baddbmm(weights["second.bias"][:, None], hidden.relu(), weights["second.weight"])
        return torch.baddbmm(weights["third.bias"][:, None], hidden.relu(), weights["third.weight"])[:, :, 0]
