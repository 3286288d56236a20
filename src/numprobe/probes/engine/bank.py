"""A bank: many probes of one shape as one batched computation.

A bank has two axes. *Datasets* differ in what they read (a shuffle, a layer); *settings* differ in how they learn (a
learning rate). Probe p belongs to dataset p // settings. One probe is a bank of one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from numprobe.kernels.layers import spread
from numprobe.kernels.parameters import Weights, initial
from numprobe.probes.engine.adam import Adam
from numprobe.probes.engine.inputs import Inputs
from numprobe.probes.engine.objectives import Objective
from numprobe.probes.network import NetworkProbe

BATCHES_TAKEN = 64
"""Batches that are laid out at once."""


@dataclass(frozen=True)
class Data:
    """One part of a split for every dataset of a bank."""

    inputs: Inputs
    numbers: Tensor
    """(datasets, items, arity) positions in the inputs."""
    targets: Tensor
    """(datasets, items): the position of the maximum, or the standardised value."""

    @property
    def items(self) -> int:
        return self.numbers.shape[1]

    def thinned(self, most: int) -> "Data":
        """Keep at most so many items, at equal distances: pairs come in the order of their numbers."""
        every = math.ceil(self.items / most)
        return Data(self.inputs, self.numbers[:, ::every], self.targets[:, ::every])

    def take(self, index: Tensor) -> "Data":
        """The (datasets, n) items at `index`."""
        numbers = self.numbers.take_along_dim(index[:, :, None], dim=1)
        return Data(self.inputs, numbers, self.targets.take_along_dim(index, dim=1))

    def cut(self, size: int) -> "Iterator[Data]":
        """Cut the items into parts of `size`; the last may be smaller."""
        for start in range(0, self.items, size):
            items = slice(start, start + size)
            yield Data(self.inputs, self.numbers[:, items], self.targets[:, items])


@dataclass(frozen=True)
class Schedule:
    """How long a bank trains, with a one-cycle learning rate and checkpoints at equal distances."""

    steps: int
    batch: int
    warm_up: float = 0.1
    checkpoints: int = 20

    def rate(self, step: int) -> float:
        """The share of the full learning rate at a step: it rises linearly, then falls to zero as a cosine."""
        done = (step + 0.5) / self.steps
        if done < self.warm_up:
            return done / self.warm_up
        return 0.5 + 0.5 * math.cos(math.pi * (done - self.warm_up) / (1 - self.warm_up))

    def checkpoint(self, step: int) -> int | None:
        """The checkpoint (1, 2, …) that follows this step, if any."""
        before, after = (at * self.checkpoints // self.steps for at in (step, step + 1))
        return after if after > before else None


class Bank:
    """Many probes of one shape over the same kind of inputs."""

    def __init__(self, probe: NetworkProbe, objective: Objective, data: Data, width: int) -> None:
        self.probe, self.objective = probe, objective
        arity = data.numbers.shape[2]
        self.layout = {**data.inputs.layout(), **probe.layout(data.inputs.dimension, arity, width)}

    def losses(self, weights: Weights, data: Data) -> Tensor:
        """Each probe's loss."""
        vectors, numbers = data.inputs.vectors(weights, data.numbers.long())
        outputs = self.probe.forward(weights, vectors, numbers)
        return self.objective.losses(outputs, spread(data.targets, len(outputs)))

    @torch.no_grad()
    def answers(self, weights: Weights, data: Data) -> Tensor:
        """(probes, items) answers: chosen positions, or standardised values."""
        vectors, numbers = data.inputs.vectors(weights, data.numbers.long())
        parts = torch.split(numbers, self.probe.items_at_once, dim=1)
        outputs = torch.cat([self.probe.forward(weights, vectors, part) for part in parts], dim=1)
        return self.objective.answers(outputs)

    def errors(self, weights: Weights, data: Data) -> Tensor:
        """Each probe's error, by which settings are chosen."""
        answers = self.answers(weights, data)
        return self.objective.errors(answers, spread(data.targets, len(answers)))

    def train(
        self, data: Data, schedule: Schedule, rates: Tensor, rngs: Sequence[np.random.Generator]
    ) -> Iterator[tuple[int, Weights]]:
        """Train with Adam and yield the weights at each checkpoint.

        `rates` is (datasets, settings). All settings of a dataset start with the same weights and see the same batches.
        """
        device = data.targets.device
        probes = rates.numel()
        weights = {name: spread(part, probes).to(device) for name, part in initial(self.layout, rngs).items()}
        adam = Adam(list(weights.values()), rates.flatten().tolist())
        parts = [part.requires_grad_() for part in weights.values()]
        weights |= data.inputs.constants(weights)
        batches = _batches(data, schedule.batch, rngs)
        for step in range(schedule.steps):
            loss = self.losses(weights, next(batches)).sum()
            adam.step(torch.autograd.grad(loss, parts), schedule.rate(step))
            reached = schedule.checkpoint(step)
            if reached is not None:
                yield reached, weights


def _batches(data: Data, size: int, rngs: Sequence[np.random.Generator]) -> Iterator[Data]:
    """Yield batches without end. Every item of a dataset comes once before any comes again."""
    if size >= data.items:
        while True:
            yield data
    while True:
        order = torch.from_numpy(np.stack([rng.permutation(data.items) for rng in rngs])).to(data.targets.device)
        for some in torch.split(order[:, : data.items - data.items % size], BATCHES_TAKEN * size, dim=1):
            yield from data.take(some).cut(size)
