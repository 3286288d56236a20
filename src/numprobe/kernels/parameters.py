"""The weights of a bank of networks, and their initial values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

Weights = Mapping[str, "Tensor"]
"""The weights of a bank by name, each (probes, *shape)."""


@dataclass(frozen=True)
class Parameter:
    """The shape of a weight, whose initial values are uniform in ±`bound` around its centre."""

    shape: tuple[int, ...]
    bound: float = 0.0
    centre: float | np.ndarray = 0.0


Layout = Mapping[str, Parameter]
"""The weights of one network by name."""


def linear_layout(name: str, inputs: int, outputs: int, gain: float = 1.0) -> Layout:
    """A fully connected layer with initial weights uniform in ±gain/√inputs."""
    bound = gain * (1 / math.sqrt(inputs))
    return {f"{name}.weight": Parameter((inputs, outputs), bound), f"{name}.bias": Parameter((outputs,), bound)}


def bilstm_layout(name: str, inputs: int, hidden: int, forget: float = 0.0) -> Layout:
    """Both directions of an LSTM; the gates are output, input, forget, candidate. `forget` centres the forget bias."""
    bound = 1 / math.sqrt(hidden)
    centre = np.repeat((0.0, 0.0, forget, 0.0), hidden)
    return {
        f"{name}.input": Parameter((2, inputs, 4 * hidden), bound=bound),
        f"{name}.bias": Parameter((2, 4 * hidden), bound=bound, centre=centre),
        f"{name}.recurrent": Parameter((2, hidden, 4 * hidden), bound=bound),
    }


def initial(layout: Layout, rngs: Sequence[np.random.Generator]) -> "dict[str, Tensor]":
    """Draw the initial weights of one network per generator.

    >>> layout = {"weight": Parameter((2, 3), bound=0.1), "bias": Parameter((3,))}
    >>> initial(layout, [np.random.default_rng(0)])["weight"].shape
    torch.Size([1, 2, 3])
    """
    import torch

    drawn = [[own.centre + rng.uniform(-own.bound, own.bound, own.shape) for own in layout.values()] for rng in rngs]
    return {name: torch.from_numpy(np.stack(own)).float() for name, *own in zip(layout, *drawn, strict=True)}
