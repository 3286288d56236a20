"""The optimiser of a bank."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import torch
from torch import Tensor
from torch.optim.adam import adam

BETAS = (0.9, 0.999)
LARGEST_GRADIENT = 1.0
"""The norm to which a probe's gradient is clipped, so that one bad batch can't undo a training."""


@dataclass(frozen=True)
class _Group:
    """Neighbouring probes with one learning rate, and Adam's state for them."""

    rate: float
    probes: slice
    weights: list[Tensor]
    means: list[Tensor]
    squares: list[Tensor]
    steps: list[Tensor]


class Adam:
    """Adam over weights that are (probes, …), with a learning rate for each probe.

    PyTorch's fused kernel reads and writes every weight once, where separate operations take a dozen passes. It takes
    one learning rate, so neighbours that share a rate are updated together.
    """

    def __init__(self, weights: Sequence[Tensor], rates: Sequence[float]) -> None:
        self.groups = []
        first = 0
        for rate, same in groupby(rates):
            probes = slice(first, first + len(list(same)))
            first = probes.stop
            own = [weight.detach()[probes] for weight in weights]
            means, squares = ([torch.zeros_like(weight) for weight in own] for _ in range(2))
            steps = [torch.zeros((), device=weight.device) for weight in own]
            self.groups.append(_Group(rate, probes, own, means, squares, steps))

    @torch.no_grad()
    def step(self, gradients: Sequence[Tensor], share: float) -> None:
        """Update the weights by their gradients, at a share of the full learning rates."""
        norms = torch.stack([gradient.flatten(1).norm(dim=1) for gradient in gradients]).norm(dim=0)
        if bool((norms > LARGEST_GRADIENT).any()):
            scale = (LARGEST_GRADIENT / norms).clamp(max=1.0)
            gradients = [gradient * scale.view(-1, *[1] * (gradient.dim() - 1)) for gradient in gradients]
        for group in self.groups:
            adam(
                group.weights,
                [gradient[group.probes].contiguous() for gradient in gradients],
                group.means,
                group.squares,
                [],
                group.steps,
                fused=True,
                amsgrad=False,
                beta1=BETAS[0],
                beta2=BETAS[1],
                lr=group.rate * share,
                weight_decay=0.0,
                eps=1e-8,
                maximize=False,
            )
