"""The MLP: three fully connected layers that give a value (Section 3.1)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.kernels.parameters import Layout, Weights, linear_layout
from numprobe.probes.network import NetworkProbe, Recipe, Way
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

WIDTH = 100
"""As in the released code."""

GAIN = 0.5
"""Hidden layers start small, so that they learn a few directions instead of memorising with many."""


@dataclass(frozen=True)
class MLP(NetworkProbe):
    """Three fully connected layers with ReLU over the concatenated vectors."""

    name: ClassVar[str] = "mlp"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    recipe: ClassVar[Recipe] = Recipe(
        ways=(
            Way(rate=0.01, length=0.3, batch=32),
            Way(rate=0.01, length=1.5, batch=32),
            Way(rate=0.003, length=1.5, batch=32),
            Way(rate=0.01, length=1.5, batch=256),
        ),
        steps=1500,
        anneals=True,
    )
    shapes: ClassVar[tuple[str, ...]] = ("mlp:most_steps=3000",)  # a sweep over layers trains hundreds
    entrance: ClassVar[str] = "first.weight"
    seconds_per_step: ClassVar[float] = 0.0003
    items_at_once: ClassVar[int] = 10_000

    most_steps: int = 48_000

    def layout(self, dimension: int, arity: int) -> Layout:
        first = linear_layout("first", arity * dimension, WIDTH, GAIN)
        return {**first, **linear_layout("second", WIDTH, WIDTH, GAIN), **linear_layout("third", WIDTH, 1)}

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items) values."""
        import torch

        from numprobe.kernels.layers import concatenated, spread

        numbers = spread(numbers, len(weights["first.weight"]))
        hidden = concatenated(vectors, weights["first.weight"], weights["first.bias"], numbers)
        hidden = torch.baddbmm(weights["second.bias"][:, None], hidden.relu(), weights["second.weight"])
        return torch.baddbmm(weights["third.bias"][:, None], hidden.relu(), weights["third.weight"])[:, :, 0]
