"""How NAQANet is trained, and one step of it. The defaults are the paper's settings."""

import copy
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from numprobe.drop.naqanet.batches import Batch
from numprobe.drop.naqanet.model import NAQANet, log_likelihood
from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import generator


@dataclass(frozen=True)
class TrainingRecipe:
    rate: float = 5e-4
    decline: int = 0
    """The rate falls along a cosine and reaches zero at this step; 0 keeps it constant."""
    betas: tuple[float, float] = (0.8, 0.999)
    epsilon: float = 1e-7
    penalty: float = 1e-7
    """Weight of the sum of squared weights in the loss."""
    largest_gradient: float = 5.0
    """Longer gradients are scaled down to this norm."""
    decay: float = 0.9999
    """Of the moving average of the weights, which is evaluated and saved; smaller in the first steps."""
    questions: int = 16
    """Per batch."""
    together: int = 4
    """Questions about one passage in a batch: the passage is encoded only once, but the batch is less diverse."""
    characters_seen: int = 200
    """Rarer characters share one embedding."""
    mixed: float = 0.2
    """Share of the questions in a pass that come from the data to mix in, if there are any; others in each pass."""
    augment: bool = False
    """Add a copy of each comparative and superlative question with changed numbers in its passage."""
    mirror: bool = False
    """Add mirrored copies of two-way comparisons: with the choices swapped, and with the opposite question."""
    between: int = 0
    """Steps between two evaluations; 0 evaluates after each pass over the data."""
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, questions=self.questions, together=self.together, characters_seen=self.characters_seen)
        at_least(0, seed=self.seed, between=self.between, decline=self.decline)
        if not self.rate > 0:
            raise NumprobeError(f"rate must be more than 0, not {self.rate}")
        for name in ("mixed", "decay"):
            if not 0 <= getattr(self, name) < 1:
                raise NumprobeError(f"{name} must be at least 0 and less than 1, not {getattr(self, name)}")

    def rate_at(self, step: int) -> float:
        """The learning rate of a step.

        >>> [round(TrainingRecipe(rate=0.01, decline=100).rate_at(step), 4) for step in (0, 50, 100, 150)]
        [0.01, 0.005, 0.0, 0.0]
        """
        if not self.decline:
            return self.rate
        return self.rate * (1 + math.cos(math.pi * min(step / self.decline, 1))) / 2


@dataclass(frozen=True)
class Bounds:
    """When training ends; a resumed run may have different bounds."""

    passes: int = 50
    patience: int = 10
    """Evaluations without a better F1 before training stops."""
    steps: int | None = None
    minutes: float | None = None
    """Of training and evaluation, including the time before an interruption."""

    def __post_init__(self) -> None:
        at_least(1, passes=self.passes, patience=self.patience, **({} if self.steps is None else {"steps": self.steps}))
        if self.minutes is not None and not self.minutes > 0:
            raise NumprobeError(f"minutes must be more than 0, not {self.minutes}")


class Learner:
    """A network, the moving average of its weights, and the optimiser."""

    def __init__(self, network: NAQANet, recipe: TrainingRecipe) -> None:
        self.network, self.recipe = network, recipe
        self.average = copy.deepcopy(network).requires_grad_(False)
        self.optimiser = torch.optim.Adam(
            network.parameters(),
            lr=recipe.rate,
            betas=recipe.betas,
            eps=recipe.epsilon,
            weight_decay=2 * recipe.penalty,  # the gradient of penalty × weight²
            fused=True,
        )

    def step(self, batch: Batch, number: int) -> Tensor:
        """Learn from a batch and return its loss. Dropout depends only on the seed and the number of the step."""
        device = batch.passages.device.type
        self.network.train()
        with seeded(self.recipe.seed, "step", str(number)):
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                outputs = self.network(batch)
            loss = -log_likelihood(outputs, batch).mean()
            loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.largest_gradient)
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate_at(number)
        self.optimiser.step()
        self.optimiser.zero_grad()
        kept = min(self.recipe.decay, (1 + number) / (10 + number))
        for average, weight in zip(self.average.parameters(), self.network.parameters(), strict=True):
            average.lerp_(weight.detach(), 1 - kept)
        return loss.detach()

    def tensors(self) -> dict[str, Tensor]:
        """Everything that the next step depends on."""
        moments = self.optimiser.state_dict()["state"]
        return {
            **{f"network.{name}": tensor for name, tensor in self.network.state_dict().items()},
            **{f"average.{name}": tensor for name, tensor in self.average.state_dict().items()},
            **{f"optimiser.{row}.{name}": tensor for row, own in moments.items() for name, tensor in own.items()},
        }

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from what `tensors` returned."""

        def part(start: str) -> dict[str, Tensor]:
            return {name[len(start) :]: tensor for name, tensor in tensors.items() if name.startswith(start)}

        self.network.load_state_dict(part("network."))
        self.average.load_state_dict(part("average."))
        moments = {row: part(f"optimiser.{row}.") for row, _ in enumerate(self.network.parameters())}
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})


@contextmanager
def seeded(seed: int, *purpose: str) -> Iterator[None]:
    """Seed PyTorch's random numbers within the block; outside it they continue undisturbed."""
    with torch.random.fork_rng():
        torch.manual_seed(int(generator(seed, *purpose).integers(2**63)))
        yield
