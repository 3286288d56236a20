"""The optimiser of a bank."""

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby

import torch
from torch import Tensor

BETAS = (0.9, 0.999)
LARGEST_GRADIENT = 1.0
"""The norm to which a probe's gradient is clipped, so that one bad batch can't undo a training."""


class Adam:
    """Adam over weights that are (probes, …), with a learning rate for each probe, of which each weight has a share.

    PyTorch's fused kernel reads and writes every weight once, where separate operations take a dozen passes. It takes
    one learning rate, so probes that share a rate are neighbours and are updated together. The kernel is called without
    `torch.optim`, whose checks take longer than the update of a small probe.
    """

    def __init__(self, weights: Sequence[Tensor], rates: Sequence[float], shares: Sequence[float]) -> None:
        self.weights = [weight.detach() for weight in weights]
        self.rates, self.shares = list(rates), list(shares)
        self.means, self.squares = ([torch.zeros_like(weight) for weight in self.weights] for _ in range(2))
        self.steps = 0

    @cached_property
    def groups(self) -> list[tuple[float, slice, list[int], list[list[Tensor]]]]:
        """What is updated together: the rate, its probes, its weights, and those with their means and squares."""
        made, first = [], 0
        for rate, same in groupby(self.rates):
            probes = slice(first, first + len(list(same)))
            first = probes.stop
            for share in sorted(set(self.shares)):
                places = [at for at, one in enumerate(self.shares) if one == share]
                kept = [[part[at][probes] for at in places] for part in (self.weights, self.means, self.squares)]
                made.append((rate * share, probes, places, kept))
        return made

    def among(self, weights: Sequence[Tensor], probes: Tensor) -> "Adam":
        """Go on with some of the probes, whose weights are these now."""
        other = Adam(weights, [self.rates[at] for at in probes.tolist()], self.shares)
        other.means, other.squares = ([part[probes] for part in parts] for parts in (self.means, self.squares))
        other.steps = self.steps
        return other

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor], share: float) -> None:
        """Update the weights by their gradients, at a share of the full learning rates."""
        norms = torch.stack([torch.linalg.vector_norm(gradient.flatten(1), dim=1) for gradient in gradients])
        norms = torch.linalg.vector_norm(norms, dim=0)
        if bool((norms > LARGEST_GRADIENT).any()):
            scale = (LARGEST_GRADIENT / norms).clamp(max=1.0)
            gradients = [gradient * scale.view(-1, *[1] * (gradient.dim() - 1)) for gradient in gradients]
        gradients = [gradient.contiguous() for gradient in gradients]
        self.steps += 1
        done = torch.tensor(float(self.steps), device=gradients[0].device)
        for rate, probes, places, (weights, means, squares) in self.groups:
            torch._fused_adam_(
                weights,
                [gradients[at][probes] for at in places],
                means,
                squares,
                [],
                [done] * len(places),
                amsgrad=False,
                beta1=BETAS[0],
                beta2=BETAS[1],
                lr=rate * share,
                weight_decay=0.0,
                eps=1e-8,
                maximize=False,
            )
