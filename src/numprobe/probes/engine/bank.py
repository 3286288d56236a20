"""A bank: many probes of one shape as one batched computation.

A bank has two axes. *Datasets* differ in what they read (a shuffle, a layer); *settings* differ in how they learn (a
learning rate). Probe p belongs to dataset p // settings. One probe is a bank of one.
"""

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from numprobe.kernels.layers import spread
from numprobe.kernels.parameters import Weights, initial
from numprobe.probes.engine.adam import Adam
from numprobe.probes.engine.inputs import FixedInputs, Inputs
from numprobe.probes.engine.objectives import Estimating, Objective
from numprobe.probes.network import NetworkProbe

BATCHES_TAKEN = 64
"""Batches that are laid out at once."""

AVERAGED = 6
"""Weights are averaged over the steps, those of step t with a weight of about t to this power."""

WARM_UP = 0.1
"""The share of a one-cycle schedule in which the learning rate rises."""

RISING, STEADY = 50, 200
"""A learning rate without a last step rises, stays, and after these many steps falls as the root of their number."""

AVERAGE_EVERY = 4
"""Weights of every so many steps are averaged, to save time."""


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

    def among(self, datasets: Sequence[int]) -> "Data":
        """The same for some of the datasets, by their positions."""
        index = torch.tensor(datasets, dtype=torch.long, device=self.targets.device)
        return Data(self.inputs.among(index), self.numbers[index], self.targets[index])

    def cut(self, size: int) -> "Iterator[Data]":
        """Cut the items into parts of `size`; the last may be smaller."""
        for start in range(0, self.items, size):
            items = slice(start, start + size)
            yield Data(self.inputs, self.numbers[:, items], self.targets[:, items])


@dataclass(frozen=True)
class Settings:
    """How each probe of a bank learns: (datasets, settings) tensors."""

    rates: Tensor
    """The full learning rates."""
    lengths: Tensor
    """The average length of the vectors, after centring."""
    batch: int
    """Items per step, the same for all."""

    @property
    def probes(self) -> int:
        return self.rates.numel()


def one_cycle(step: int, steps: int) -> float:
    """The share of the full learning rate at a step: it rises linearly, then falls to zero as a cosine."""
    done = (step + 0.5) / steps
    if done < WARM_UP:
        return done / WARM_UP
    return 0.5 + 0.5 * math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))


def inverse_root(step: int) -> float:
    """The share of the full learning rate at a step of a training that may stop anywhere."""
    return min(1.0, (step + 1) / RISING, math.sqrt(STEADY / (step + 1)))


class Bank:
    """Many probes of one shape over the same kind of inputs."""

    def __init__(self, probe: NetworkProbe, objective: Objective, data: Data) -> None:
        self.probe, self.objective = probe, objective
        arity = data.numbers.shape[2]
        self.layout = {**data.inputs.layout(), **probe.layout(data.inputs.dimension, arity)}

    def losses(self, weights: Weights, data: Data) -> Tensor:
        """Each probe's loss."""
        vectors, numbers = data.inputs.vectors(weights, data.numbers.long())
        outputs = self.probe.forward(weights, vectors, numbers)
        return self.objective.losses(outputs, spread(data.targets, len(outputs)))

    def gradients(self, trained: Weights, constants: Weights, data: Data) -> Sequence[Tensor]:
        """The gradient of each probe's loss by each of its weights."""
        weights = {**trained, **constants}
        if isinstance(data.inputs, FixedInputs) and isinstance(objective := self.objective, Estimating):
            targets = spread(data.targets, len(constants["lengths"]))
            with torch.no_grad():
                vectors, numbers = data.inputs.vectors(weights, data.numbers.long())
                found = self.probe.gradients(weights, vectors, numbers, lambda made: objective.slopes(made, targets))
            if found is not None:
                return [found[name] for name in trained]
        return torch.autograd.grad(self.losses(weights, data).sum(), list(trained.values()))

    @torch.no_grad()
    def answers(self, weights: Weights, data: Data) -> Tensor:
        """(probes, items) answers: chosen positions, or standardised values."""
        vectors, numbers = data.inputs.vectors(weights, data.numbers.long())
        parts = torch.split(numbers, self.probe.items_at_once, dim=1)
        outputs = torch.cat([self.probe.forward(weights, vectors, part) for part in parts], dim=1)
        return self.objective.answers(outputs)


def _batches(data: Data, size: int, rngs: Sequence[np.random.Generator]) -> Iterator[Data]:
    """Yield batches without end. Every item of a dataset comes once before any comes again."""
    if size >= data.items:
        while True:
            yield data
    while True:
        order = torch.from_numpy(np.stack([rng.permutation(data.items) for rng in rngs])).to(data.targets.device)
        for some in torch.split(order[:, : data.items - data.items % size], BATCHES_TAKEN * size, dim=1):
            yield from data.take(some).cut(size)


class Run:
    """A bank that is being trained. Its weights are averaged over the last steps."""

    def __init__(self, bank: Bank, data: Data, settings: Settings, rngs: Sequence[np.random.Generator]) -> None:
        """All settings of a dataset start with the same weights and see the same batches."""
        device = data.targets.device
        self.bank, self.data, self.rngs, self.steps = bank, data, rngs, 0
        self.batch = settings.batch
        self.weights = {
            name: spread(part, settings.probes).to(device).requires_grad_()
            for name, part in initial(bank.layout, rngs).items()
        }
        self.constants = {**data.inputs.constants(self.weights), "lengths": settings.lengths.flatten().to(device)}
        self.average = {name: part.detach().clone() for name, part in self.weights.items()}
        embedder = bank.probe.recipe.embedder_share
        shares = [embedder if name in data.inputs.layout() else 1.0 for name in self.weights]
        self.adam = Adam(list(self.weights.values()), settings.rates.flatten().tolist(), shares)

    def train(self, until: int, anneals: bool) -> Weights:
        """Train until so many steps are done; where it anneals, the learning rate then is zero."""
        batches = _batches(self.data, self.batch, self.rngs)
        parts = list(self.weights.values())
        for step in range(self.steps, until):
            gradients = self.bank.gradients(self.weights, self.constants, next(batches))
            self.adam.step(gradients, one_cycle(step, until) if anneals else inverse_root(step))
            if step % AVERAGE_EVERY == 0 or step + 1 == until:
                with torch.no_grad():
                    weight = (AVERAGED + 1) / (step // AVERAGE_EVERY + 1 + AVERAGED)
                    torch._foreach_lerp_(list(self.average.values()), parts, weight)
        self.steps = until
        return {**self.average, **self.constants}

    def keep(self, probes: Sequence[int], datasets: Sequence[int]) -> None:
        """Go on with some of the probes, one for each of some of the datasets."""
        index = torch.tensor(probes, dtype=torch.long, device=self.data.targets.device)
        self.data = self.data.among(datasets)
        self.rngs = [self.rngs[at] for at in datasets]
        self.weights = {name: part.detach()[index].requires_grad_() for name, part in self.weights.items()}
        self.constants = {name: part[index] for name, part in self.constants.items()}
        self.average = {name: part[index] for name, part in self.average.items()}
        self.adam = self.adam.among(list(self.weights.values()), index)

    def only(self, probe: int) -> "Run":
        """A copy of it with one of its probes, each of which has its own dataset."""
        made = copy(self)
        made.keep([probe], [probe])
        return made
