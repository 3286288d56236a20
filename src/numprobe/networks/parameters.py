"""The weights of a bank of networks: one matrix with a row per probe.

So an optimiser step, a gradient norm or "keep the best so far" is an operation on rows.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

Weights = Mapping[str, Tensor]
"""Named weights of a bank, each (probes, *shape)."""


@dataclass(frozen=True)
class Parameter:
    """The shape of one weight and how it starts: normal with `deviation`, or uniform in ±`bound`."""

    shape: tuple[int, ...]
    bound: float = 0.0
    deviation: float = 0.0

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        if self.deviation:
            return rng.normal(0.0, self.deviation, self.shape)
        return rng.uniform(-self.bound, self.bound, self.shape)


Layout = Mapping[str, Parameter]
"""The weights of one network by name."""


def initial(layout: Layout, rngs: Sequence[np.random.Generator]) -> Tensor:
    """Starting weights, one row per generator.

    >>> layout = {"weight": Parameter((2, 3), bound=0.1), "bias": Parameter((3,))}
    >>> initial(layout, [np.random.default_rng(0)]).shape
    torch.Size([1, 9])
    """
    rows = [np.concatenate([p.draw(rng).ravel() for p in layout.values()]) for rng in rngs]
    return torch.from_numpy(np.stack(rows)).float()


def unpack(matrix: Tensor, layout: Layout) -> dict[str, Tensor]:
    """The named weights in a matrix of rows, as views of it."""
    parts = torch.split(matrix, [p.size for p in layout.values()], dim=1)
    return {name: part.view(-1, *p.shape) for (name, p), part in zip(layout.items(), parts, strict=True)}
