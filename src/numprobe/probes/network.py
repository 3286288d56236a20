"""Probes that are networks: what they have in common, and how they train."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from numprobe.errors import at_least
from numprobe.kernels.parameters import Layout, Weights
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor


class Way(NamedTuple):
    """One way to learn."""

    rate: float
    """The highest learning rate."""
    length: float
    """The average length of the vectors, after centring."""
    batch: int
    """Items per step."""


@dataclass(frozen=True)
class Recipe:
    """How a network trains: what is the same for all, and what development numbers choose from."""

    ways: tuple[Way, ...]
    """The ways to learn. Those with the same batch stand next to each other."""
    steps: int
    """The steps after which all settings are compared. The best one then trains for twice as many, and so on."""
    anneals: bool
    """Whether the learning rate falls to zero. If not, one training shows the errors after any number of steps."""
    embedder_share: float = 1.0
    """The share of the learning rate that the weights of a learned embedder get."""


class NetworkProbe(Probe):
    """A network over the vectors of an item's numbers, for a whole bank at once."""

    trains_embedders: ClassVar[bool] = True
    recipe: ClassVar[Recipe]
    most_steps: int
    """A probe that still improves stops here."""
    seconds_per_step: ClassVar[float]
    items_at_once: ClassVar[int]
    """Items answered at once outside training; this bounds memory."""

    def __post_init__(self) -> None:
        at_least(1, most_steps=self.most_steps)

    def layout(self, dimension: int, arity: int) -> Layout:
        """Its weights, for vectors of this dimension and this many numbers per item."""
        raise NotImplementedError

    def forward(self, weights: Weights, vectors: "Tensor", numbers: "Tensor") -> "Tensor":
        """Answer items.

        `vectors` is (datasets or probes, n, dimension), `numbers` (datasets, items, arity) are positions in it, and
        `weights["lengths"]` (probes,) is what the vectors are to be multiplied by. Where it is less work, the first
        layer is computed once per vector and not once per mention.
        """
        raise NotImplementedError

    def gradients(
        self, weights: Weights, vectors: "Tensor", numbers: "Tensor", slopes: "Callable[[Tensor], Tensor]"
    ) -> "Mapping[str, Tensor] | None":
        """The gradients by its weights where the vectors are fixed, or None to leave them to autograd.

        Networks this small take a step in half the time without autograd. `slopes` takes the outputs and gives the
        slopes of the loss by them. Whoever overrides `forward` has to override this, too.
        """
        return None

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        steps = min(self.recipe.steps, self.most_steps)
        steps = steps * len(self.recipe.ways) + min(12 * steps, 2 * self.most_steps)
        return self.seconds_per_step * (3 if learned else 1) * (1 + numbers / 1000) * steps

    def training(self) -> dict[str, Any]:
        return {**asdict(self.recipe), "most_steps": self.most_steps}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.fitting import fit_networks

        return fit_networks(self, kind, prepare, datasets)
