"""A bidirectional LSTM over many texts that reads each shared prefix once."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from numprobe.kernels.layers import distinct, look_up, spread
from numprobe.kernels.parameters import Weights


def prefixes(symbols: np.ndarray) -> np.ndarray:
    """Number the prefixes of each row: at each place, rows that are equal up to there get the same number.

    >>> prefixes(np.array([[7, 5, 2], [7, 5, 1], [1, 5, 2]])).tolist()
    [[1, 1, 2], [1, 1, 1], [0, 0, 0]]
    """
    found = np.zeros(len(symbols), dtype=np.int64)
    places = []
    for column in np.unique(symbols, return_inverse=True)[1].reshape(symbols.shape).T:
        found = np.unique(found * (symbols.size + 1) + column, return_inverse=True)[1]
        places.append(found)
    return np.stack(places, axis=1)


def last_states(
    weights: Weights, name: str, vectors: Tensor, symbols: Tensor, beginnings: Tensor, inside: Tensor
) -> Tensor:
    """The last state of each direction: (networks, n, 2 × hidden).

    `vectors` is (networks, symbols, inputs). The others are (datasets, n, 2, time), in reading order for each
    direction: the symbol at each place, its `prefixes`, and whether it is inside the text. Outside, the state stays.
    """
    networks = len(vectors)
    symbols, beginnings, inside = (
        spread(given, networks).permute(2, 3, 0, 1) for given in (symbols, beginnings, inside)
    )
    own = beginnings.flatten(0, 2)
    found, places = distinct(own, int(own.max()) + 1)
    texts = torch.arange(own.shape[1], device=own.device).expand_as(own)
    text = torch.zeros_like(found).scatter_(1, places, texts).view(*symbols.shape[:3], -1)  # any text with that prefix
    places = places.view_as(symbols)
    parents = torch.cat((torch.zeros_like(places[:, :1]), places[:, :-1]), dim=1).gather(3, text)
    symbols, reads = symbols.gather(3, text), None if inside.all() else inside.gather(3, text)
    rows = (places.amax(dim=(2, 3)) + 1).tolist()
    ends = []
    for side in (0, 1):
        bias, into, recurrent = (weights[f"{name}.{part}"][:, side] for part in ("bias", "input", "recurrent"))
        gates = torch.baddbmm(bias[:, None], vectors, into)
        state = cell = gates.new_zeros(networks, 1, recurrent.shape[1])  # one state for all texts
        for step, count in enumerate(rows[side]):
            parent = parents[side, step, :, :count]
            entering, before = look_up(gates, symbols[side, step, :, :count]), look_up(cell, parent)
            if step > 0:
                entering = entering + look_up(torch.bmm(state, recurrent), parent)
            held = state
            state, cell = _Cell.apply(entering, before)  # type: ignore[no-untyped-call]
            if reads is not None:
                here = reads[side, step, :, :count, None]
                state, cell = torch.where(here, state, look_up(held, parent)), torch.where(here, cell, before)
        ends.append(look_up(state, places[side, -1]))
    return torch.cat(ends, dim=2)


class _Cell(torch.autograd.Function):
    """One step of an LSTM, with an explicit gradient: gates and previous cell -> state and cell."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        active = gates.clone()
        leave, enter, keep, candidate = torch.chunk(active, 4, dim=2)
        # tanh(x) = 2 sigmoid(2x) - 1, as in `layers`.
        candidate.mul_(2)
        active.sigmoid_()
        candidate.mul_(2).sub_(1)
        cell = torch.addcmul(enter * candidate, keep, before)
        squashed = (2 * cell).sigmoid_().mul_(2).sub_(1)
        ctx.save_for_backward(active, before, squashed)
        return leave * squashed, cell

    @staticmethod
    def backward(ctx: Any, to_state: Tensor, to_cell: Tensor) -> tuple[Tensor, Tensor]:
        active, before, squashed = ctx.saved_tensors
        leave, enter, keep, candidate = torch.chunk(active, 4, dim=2)
        through = to_state * leave
        to_cell = (to_cell + through).addcmul_(through * squashed, squashed, value=-1)
        slopes = torch.addcmul(active, active, active, value=-1)  # sigmoid' = y(1-y); tanh' = 1-y²
        to_leave, to_enter, to_keep, to_candidate = torch.chunk(slopes, 4, dim=2)
        to_leave.mul_(squashed).mul_(to_state)
        to_enter.mul_(candidate).mul_(to_cell)
        to_keep.mul_(before).mul_(to_cell)
        to_candidate.copy_(enter).addcmul_(enter * candidate, candidate, value=-1).mul_(to_cell)
        return slopes, to_cell * keep
