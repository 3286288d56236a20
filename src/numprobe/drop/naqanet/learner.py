"""One step of training, and the tensors that it changes."""

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

from numprobe.drop.naqanet.batches import Batch
from numprobe.drop.naqanet.losses import log_likelihood
from numprobe.drop.naqanet.model import NAQANet
from numprobe.drop.naqanet.recipe import Recipe
from numprobe.numbers import generator


class Learner:
    """A network, the moving average of its weights, and the optimiser."""

    def __init__(self, network: NAQANet, recipe: Recipe) -> None:
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
        """Learn from a batch; returns its loss. What is dropped depends on the seed and the step's number alone."""
        device = batch.vectors.device.type
        self.network.train()
        with seeded(self.recipe.seed, "step", str(number)):
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                outputs = self.network(batch)
            loss = -log_likelihood(outputs, batch.gold).mean()
            loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.largest_gradient)
        self.optimiser.step()
        self.optimiser.zero_grad()
        kept = min(self.recipe.decay, (1 + number) / (10 + number))
        for average, weight in zip(self.average.parameters(), self.network.parameters(), strict=True):
            average.lerp_(weight.detach(), 1 - kept)
        return loss.detach()

    def tensors(self) -> dict[str, Tensor]:
        """All that the next step depends on."""
        moments = self.optimiser.state_dict()["state"]
        return {
            **{f"network.{name}": tensor for name, tensor in self.network.state_dict().items()},
            **{f"average.{name}": tensor for name, tensor in self.average.state_dict().items()},
            **{f"optimiser.{row}.{name}": tensor for row, own in moments.items() for name, tensor in own.items()},
        }

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on from `tensors`."""
        parts: dict[str, dict[str, Tensor]] = {"network": {}, "average": {}, "optimiser": {}}
        for name, tensor in tensors.items():
            part, _, rest = name.partition(".")
            parts[part][rest] = tensor
        self.network.load_state_dict(parts["network"])
        self.average.load_state_dict(parts["average"])
        moments: dict[int, dict[str, Tensor]] = {}
        for name, tensor in parts["optimiser"].items():
            row, _, rest = name.partition(".")
            moments.setdefault(int(row), {})[rest] = tensor
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})


@contextmanager
def seeded(seed: int, *purpose: str) -> Iterator[None]:
    """PyTorch's own random numbers for a purpose; outside the block they go on as if nothing had happened."""
    with torch.random.fork_rng():
        torch.manual_seed(int(generator(seed, *purpose).integers(2**63)))
        yield
