"""Probes that are networks: what they have in common, and how long they train."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from numprobe.kernels.parameters import Layout, Weights
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Recipe:
    """Which settings to try, and how long to train."""

    widths: tuple[int, ...]
    rates: tuple[float, ...]
    batch: int
    steps: int
    """Steps for 100 items. More items take more steps, but no more than ten items per number count."""
    growth: float
    """The power of the number of items with which the steps grow."""
    most_steps: int
    trial: float
    """The share of the schedule on which settings are compared."""

    def steps_for(self, items: int, numbers: int) -> float:
        counted = min(items, 10 * numbers)
        return min(self.most_steps, self.steps * max(1.0, math.pow(counted / 100, self.growth)))


class NetworkProbe(Probe):
    """A network over the vectors of an item's numbers, for a whole bank at once."""

    trains_embedders: ClassVar[bool] = True
    recipe: ClassVar[Recipe]
    seconds_per_step: ClassVar[float]
    items_at_once: ClassVar[int]
    """Items answered at once outside training; this bounds memory."""

    def layout(self, dimension: int, arity: int, width: int) -> Layout:
        """Its weights, for vectors of this dimension and this many numbers per item."""
        raise NotImplementedError

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """Answer items.

        `vectors` is (datasets or probes, n, dimension), `numbers` (datasets, items, arity) are positions in it. Where
        it is less work, the first layer is computed once per vector and not once per mention.
        """
        raise NotImplementedError

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        recipe = self.recipe
        trials = recipe.trial * len(recipe.rates) * len(recipe.widths)
        return self.seconds_per_step * (3 if learned else 1) * recipe.steps_for(items, numbers) * (1 + trials)

    def training(self) -> dict[str, Any]:
        return asdict(self.recipe)

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.fitting import fit_networks

        return fit_networks(self, kind, prepare, datasets)
