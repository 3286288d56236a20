"""Matching: a learned map of queries and of what they choose from."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from numprobe.errors import one_of
from numprobe.kernels.parameters import Layout, Weights, linear_layout
from numprobe.probes.cosine import QUERIES
from numprobe.probes.network import NetworkProbe, Recipe, Way
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

WIDTH = 50
"""The dimensions in which a query meets what it chooses from."""

NEVER = -1e4
"""The score of the query itself, which is no choice."""


@dataclass(frozen=True)
class Matching(NetworkProbe):
    """Choose what is nearest to the query after one learned linear map of the query and another of the rest."""

    name: ClassVar[str] = "matching"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CHOICE})
    needs_query: ClassVar[bool] = True
    recipe: ClassVar[Recipe] = Recipe(
        ways=(
            Way(rate=0.01, length=1.5, batch=256),
            Way(rate=0.01, length=5.0, batch=256),
            Way(rate=0.003, length=5.0, batch=256),
        ),
        steps=200,
        anneals=True,
    )
    seconds_per_step: ClassVar[float] = 0.003
    items_at_once: ClassVar[int] = 2000

    most_steps: int = 3_200
    query: str = "seen"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("query", self.query, QUERIES)

    @property
    def blind(self) -> Self | None:
        return replace(self, query="hidden") if self.query == "seen" else None

    def layout(self, dimension: int, arity: int) -> Layout:
        return linear_layout("map", dimension, 2 * WIDTH)

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """(probes, items, arity) scores: less half the squared distance, up to what is the same for all choices."""
        import torch

        from numprobe.kernels.layers import concatenated, spread

        numbers = spread(numbers, len(weights["map.weight"]))
        probes, items, arity = numbers.shape
        flat = numbers.reshape(probes, items * arity, 1)
        mapped = concatenated(vectors, weights["map.weight"], weights["map.bias"], flat, weights["lengths"])
        mapped = mapped.view(probes, items, arity, -1)
        queries, others = mapped[:, :, :1, :WIDTH], mapped[:, :, 1:, WIDTH:]
        if self.query == "hidden":
            queries = weights["map.bias"][:, None, None, :WIDTH]
        scores = (queries * others).sum(dim=3) - 0.5 * others.square().sum(dim=3)
        return torch.cat((torch.full_like(scores[:, :, :1], NEVER), scores), dim=2)
