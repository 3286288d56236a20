"""The MLP: three fully connected layers that give a value (Section 3.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.kernels.parameters import Layout, Weights, linear_layout
from numprobe.probes.network import NetworkProbe, Recipe, Way
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

WIDTH = 100
"""As in the released code."""

UPPER = ("second", "third")
"""The layers above the first."""

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
    seconds_per_step: ClassVar[float] = 0.0003
    items_at_once: ClassVar[int] = 10_000

    most_steps: int = 48_000

    def layout(self, dimension: int, arity: int) -> Layout:
        first = linear_layout("first", arity * dimension, WIDTH, GAIN)
        return {**first, **linear_layout("second", WIDTH, WIDTH, GAIN), **linear_layout("third", WIDTH, 1)}

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items) values."""
        from numprobe.kernels.layers import concatenated, spread, upper_layers

        numbers = spread(numbers, len(weights["first.weight"]))
        hidden = concatenated(vectors, weights["first.weight"], weights["first.bias"], numbers, weights["lengths"])
        return upper_layers(hidden, weights, UPPER)[:, :, 0]

    def gradients(
        self, weights: Weights, vectors: "Tensor", numbers: "Tensor", slopes: "Callable[[Tensor], Tensor]"
    ) -> dict[str, "Tensor"]:
        from numprobe.kernels.layers import concatenated, concatenated_gradients, spread, upper_gradients

        lengths = weights["lengths"]
        numbers = spread(numbers, len(lengths))
        hidden = concatenated(vectors, weights["first.weight"], weights["first.bias"], numbers, lengths)
        found, gradient = upper_gradients(hidden, weights, UPPER, lambda made: slopes(made[:, :, 0])[:, :, None])
        first = concatenated_gradients(vectors, numbers, lengths, gradient)
        return {**dict(zip(("first.weight", "first.bias"), first, strict=True)), **found}
