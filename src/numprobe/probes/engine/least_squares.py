"""Least squares for all datasets of a bank at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numprobe.kernels.layers import look_up
from numprobe.probes.engine.bank import Data
from numprobe.probes.engine.inputs import fixed_table

CHUNK = 100_000
"""Items whose vectors are laid out at once; this bounds memory."""

RESOLUTION = 1e-12
"""Directions with less than this share of the largest variance are rounding noise of float32 vectors."""


@dataclass(frozen=True)
class Equations:
    """The normal equations of each dataset, along the axes that separate them."""

    axes: Tensor
    """(datasets, weights, axes)"""
    variances: Tensor
    """(datasets, axes), ascending."""
    moments: Tensor
    """(datasets, axes)"""

    def solve(self, penalties: Sequence[float]) -> Tensor:
        """The least-squares weights of least norm, (datasets, weights), with one penalty per dataset.

        The penalty on their squares is given as a share of the largest variance.
        """
        largest = self.variances[:, -1:]
        along = self.moments / (self.variances + largest.new_tensor(penalties)[:, None] * largest)
        along = along.where(self.variances > RESOLUTION * largest, 0)
        return torch.matmul(self.axes, along[:, :, None])[:, :, 0]


def equations(data: Data) -> Equations:
    """Set up the equations of arity × dimension + 1 weights; the last is the constant."""
    datasets, _, arity = data.numbers.shape
    size = arity * data.inputs.dimension + 1
    gram = torch.zeros(datasets, size, size, dtype=torch.float64, device=data.targets.device)
    moment = torch.zeros(datasets, size, 1, dtype=torch.float64, device=data.targets.device)
    for start in range(0, data.items, CHUNK):
        design = _design(data, start)
        gram.baddbmm_(design.mT, design)
        moment.baddbmm_(design.mT, data.targets[:, start : start + CHUNK, None].double())
    variances, axes = torch.linalg.eigh(gram)
    return Equations(axes, variances, torch.matmul(axes.mT, moment)[:, :, 0])


def predict(weights: Tensor, data: Data) -> Tensor:
    """(datasets, items) values."""
    starts = range(0, data.items, CHUNK)
    return torch.cat([(_design(data, start) @ weights[:, :, None])[:, :, 0] for start in starts], dim=1)


def _design(data: Data, start: int) -> Tensor:
    numbers = data.numbers[:, start : start + CHUNK].long()
    datasets, items, _ = numbers.shape
    vectors = look_up(fixed_table(data.inputs), numbers.flatten(1)).double()
    return torch.cat((vectors.view(datasets, items, -1), vectors.new_ones(datasets, items, 1)), dim=2)
