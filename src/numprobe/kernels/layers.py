"""Layers that compute a whole bank at once, as functions of its weights."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from numprobe.kernels.parameters import Weights
from numprobe.kernels.products import add_products, product, products


def spread(tensor: Tensor, networks: int) -> Tensor:
    """Repeat (datasets, …) to (networks, …); the networks of a dataset are next to each other."""
    return tensor if len(tensor) == networks else tensor.repeat_interleave(networks // len(tensor), dim=0)


def look_up(rows: Tensor, index: Tensor) -> Tensor:
    """Look up (networks, …) positions in (datasets, n, h) rows: (networks, …, h)."""
    datasets, n, width = rows.shape
    first = spread(torch.arange(0, datasets * n, n, device=index.device), len(index))
    found = rows.reshape(-1, width).index_select(0, (index + first.view(-1, *[1] * (index.dim() - 1))).flatten())
    return found.view(*index.shape, width)


def distinct(numbers: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the distinct numbers in each row of (datasets, …) numbers below `count`, and their positions there.

    Rows with fewer distinct numbers than others are padded with zeros.

    >>> distinct(torch.tensor([[[7, 3], [3, 9]], [[1, 1], [1, 1]]]), 10)
    (tensor([[3, 7, 9],
            [1, 0, 0]]), tensor([[[1, 0],
             [0, 2]],
    <BLANKLINE>
            [[0, 0],
             [0, 0]]]))
    """
    mentions = numbers.flatten(1)
    there = torch.zeros(len(numbers), count, dtype=mentions.dtype, device=numbers.device).scatter_(1, mentions, 1)
    places = there.cumsum(dim=1) - 1
    positions = places.gather(1, mentions)
    found = mentions.new_zeros(len(numbers), int(places[:, -1].max()) + 1).scatter_(1, positions, mentions)
    return found, positions.view_as(numbers)


def concatenated(
    vectors: Tensor, weight: Tensor, bias: Tensor, numbers: Tensor, lengths: Tensor | None = None
) -> Tensor:
    """A fully connected layer over the concatenated vectors of each item: (networks, items, outputs).

    `vectors` is (datasets, n, inputs), `weight` (networks, arity × inputs, outputs), `bias` (networks, outputs), and
    `numbers` (networks, items, arity) gives the vectors of each item. A vector that occurs in several items is
    multiplied once. `lengths` (networks,) is what the vectors are multiplied by.
    """
    networks, items, arity = numbers.shape
    _, n, inputs = vectors.shape
    if items < n:
        rows = look_up(vectors, numbers.flatten(1))
        return _biased(product(rows.view(networks, items, arity * inputs), weight), bias, lengths)
    made = product(vectors, weight.reshape(networks * arity, inputs, -1))
    if arity == 1:
        return look_up(_biased(made, bias, lengths), numbers[..., 0])
    parts = look_up(made, numbers.transpose(1, 2).flatten(0, 1)).view(networks, arity, items, -1)
    return _biased(parts.sum(dim=1), bias, lengths)


def _biased(made: Tensor, bias: Tensor, lengths: Tensor | None) -> Tensor:
    return made + bias[:, None] if lengths is None else torch.addcmul(bias[:, None], made, lengths[:, None, None])


def concatenated_gradients(
    vectors: Tensor, numbers: Tensor, lengths: Tensor, gradient: Tensor
) -> tuple[Tensor, Tensor]:
    """The gradients of `concatenated` by its weight and bias, from that of what it made."""
    networks, items, arity = numbers.shape
    _, n, inputs = vectors.shape
    to_bias, gradient = gradient.sum(dim=1), gradient * lengths[:, None, None]
    if items < n:
        rows = look_up(vectors, numbers.flatten(1)).view(networks, items, arity * inputs)
        return products(rows.mT, gradient), to_bias
    places = numbers.mT + torch.arange(0, networks * arity * n, n, device=numbers.device).view(networks, arity, 1)
    made = gradient.new_zeros(networks * arity * n, gradient.shape[2])
    for place in range(arity):
        made.index_add_(0, places[:, place].flatten(), gradient.flatten(0, 1))
    found = products(vectors.mT, made.view(networks * arity, n, -1))
    return found.view(networks, arity * inputs, -1), to_bias


def upper_layers(hidden: Tensor, weights: Weights, names: Sequence[str]) -> Tensor:
    """Fully connected layers, each after a ReLU, over (networks, items, hidden)."""
    return _through(hidden, weights, names)[0]


def _through(hidden: Tensor, weights: Weights, names: Sequence[str]) -> tuple[Tensor, list[Tensor]]:
    """What the layers make, and what enters each of them."""
    entering = []
    for name in names:
        entering.append(hidden.relu())
        hidden = torch.baddbmm(weights[f"{name}.bias"][:, None], entering[-1], weights[f"{name}.weight"])
    return hidden, entering


def upper_gradients(
    hidden: Tensor, weights: Weights, names: Sequence[str], slopes: Callable[[Tensor], Tensor]
) -> tuple[dict[str, Tensor], Tensor]:
    """The gradients of `upper_layers` by its weights, and by what it reads; `slopes` gives those by its outputs."""
    outputs, entering = _through(hidden, weights, names)
    gradient, found = slopes(outputs), {}
    for name, own in zip(reversed(names), reversed(entering), strict=True):
        found[f"{name}.weight"], found[f"{name}.bias"] = torch.bmm(own.mT, gradient), gradient.sum(dim=1)
        gradient = torch.bmm(gradient, weights[f"{name}.weight"].mT).mul_(own > 0)
    return found, gradient


def bilstm(weights: Weights, name: str, vectors: Tensor, places: Tensor) -> Tensor:
    """Run both directions of an LSTM over sequences of vectors.

    `vectors` is (datasets, n, inputs), and `places` (datasets, items, time) gives the vector at each place. Return the
    states after each step, (probes, 2, time, items, hidden), in reading order for each direction.
    """
    recurrent = weights[f"{name}.recurrent"].flatten(0, 1)
    probes = len(recurrent) // 2
    places = spread(places, probes)
    order = torch.stack((places, places.flip(2)), dim=1).transpose(2, 3).flatten(0, 1)  # (2 × probes, time, items)
    gates = concatenated(
        vectors,
        weights[f"{name}.input"].flatten(0, 1),
        weights[f"{name}.bias"].flatten(0, 1),
        order.flatten(1)[..., None],
    )
    states: Tensor = _LSTM.apply(gates.view(*order.shape, -1), recurrent)  # type: ignore[no-untyped-call]
    return states.view(probes, 2, *states.shape[1:])


class _LSTM(torch.autograd.Function):
    """An LSTM over the gates of (networks, time, items), with an explicit gradient.

    Autograd would keep all intermediate values of each step. Here, everything that does not depend on the gradient of
    the next step is computed for all steps at once, which leaves five small operations per step.
    """

    @staticmethod
    def forward(ctx: Any, gates: Tensor, recurrent: Tensor) -> Tensor:
        hidden = recurrent.shape[1]
        active = torch.empty_like(gates)
        states = gates.new_empty(*gates.shape[:3], hidden)
        cells, squashed = torch.empty_like(states), torch.empty_like(states)
        for step in range(gates.shape[1]):
            now, state, cell = active[:, step], states[:, step], cells[:, step]
            if step > 0:
                add_products(gates[:, step], states[:, step - 1], recurrent, out=now)
            else:
                now.copy_(gates[:, step])
            leave, enter, keep, candidate = torch.split(now, hidden, dim=2)
            # tanh(x) = 2 sigmoid(2x) - 1, and PyTorch's sigmoid is four times as fast as its tanh.
            candidate.mul_(2)
            now.sigmoid_()
            candidate.mul_(2).sub_(1)
            torch.mul(enter, candidate, out=cell)
            if step > 0:
                cell.addcmul_(keep, cells[:, step - 1])
            squash = torch.mul(cell, 2, out=squashed[:, step]).sigmoid_().mul_(2).sub_(1)
            torch.mul(leave, squash, out=state)
        ctx.save_for_backward(recurrent, active, states, cells, squashed)
        return states

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        recurrent, active, states, cells, squashed = ctx.saved_tensors
        hidden = recurrent.shape[1]
        leave, enter, keep, candidate = torch.split(active, hidden, dim=3)
        # The slope of the state by the cell, and, in place of each gate, the slope of the state (output gate) or of the
        # cell (other gates) by that gate before its activation, with sigmoid' = y(1-y) and tanh' = 1-y².
        to_cells = torch.addcmul(leave, leave * squashed, squashed, value=-1)
        leave.addcmul_(leave, leave, value=-1).mul_(squashed)
        to_candidate = torch.addcmul(enter, enter * candidate, candidate, value=-1)
        enter.addcmul_(enter, enter, value=-1).mul_(candidate)
        candidate.copy_(to_candidate)
        kept = keep.clone()
        keep.addcmul_(keep, keep, value=-1)
        keep[:, 1:].mul_(cells[:, :-1])
        keep[:, 0].zero_()
        to_state, to_cell = gradient[:, -1], torch.zeros_like(cells[:, 0])
        for step in reversed(range(active.shape[1])):
            now = active[:, step]
            to_cell.addcmul_(to_state, to_cells[:, step])
            now[:, :, :hidden].mul_(to_state)
            now[:, :, hidden:].unflatten(2, (3, hidden)).mul_(to_cell[:, :, None])
            to_cell.mul_(kept[:, step])
            if step > 0:
                to_state = torch.empty_like(gradient[:, step - 1])
                add_products(gradient[:, step - 1], now, recurrent.mT, out=to_state)
        to_recurrent = products(states[:, :-1].flatten(1, 2).mT, active[:, 1:].flatten(1, 2))
        return active, to_recurrent
