"""A mix of an embedder's layers that is learned with the probe."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from numprobe.embedders.base import Reading
from numprobe.kernels.parameters import Layout, Parameter, Weights

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class LayerMix:
    """The layers of an embedder, weighted by a softmax and scaled, as ELMo is meant to be used.

    The weights start equal and the scale at one.
    """

    embedder: Any
    """It has `encode_layers`."""

    @property
    def dimension(self) -> int:
        return self._shape[1]

    @cached_property  # two numbers, which training asks for at each step
    def _shape(self) -> tuple[int, int]:
        layers, _, dimension = self.embedder.encode_layers(["0"]).shape
        return layers, dimension

    def layout(self) -> Layout:
        return {"mix": Parameter((self._shape[0],)), "gamma": Parameter((1,))}

    def read(self, texts: Sequence[str]) -> Reading:
        import torch

        layers = np.asarray(self.embedder.encode_layers(list(texts)), dtype=np.float32)
        no_characters = torch.empty(0, dtype=torch.long)
        return Reading(no_characters, (torch.from_numpy(layers).transpose(0, 1).contiguous(),))

    def vectors(self, weights: Weights, reading: Reading) -> "Tensor":
        import torch

        (layers,) = reading.tensors
        # Weights start at zero, so gamma is what the scale adds to one.
        shares = weights["mix"].softmax(dim=1) * (1 + weights["gamma"])
        by_dataset = shares.view(len(layers), -1, shares.shape[1])
        return torch.einsum("dsl,dnlv->dsnv", by_dataset, layers).flatten(0, 1)
