"""Layers for a whole bank at once, as functions of its weights."""

import math
from typing import Any

import torch
from torch import Tensor

from numprobe.networks.parameters import Layout, Parameter


def linear_layout(name: str, inputs: int, outputs: int, gain: float = 1.0) -> Layout:
    """A fully connected layer that starts uniform in ±gain/√inputs."""
    bound = 1 / math.sqrt(inputs)
    return {
        f"{name}.weight": Parameter((inputs, outputs), bound=gain * bound),
        f"{name}.bias": Parameter((outputs,), bound=gain * bound),
    }


def bilstm_layout(name: str, inputs: int, hidden: int) -> Layout:
    """Both directions of an LSTM; the gates are input, forget, output, candidate."""
    bound = 1 / math.sqrt(hidden)
    return {
        f"{name}.input": Parameter((inputs, 8 * hidden), bound=bound),
        f"{name}.bias": Parameter((8 * hidden,), bound=bound),
        f"{name}.recurrent": Parameter((2, hidden, 4 * hidden), bound=bound),
    }


def bilstm(gates: Tensor, recurrent: Tensor, places: Tensor, inside: Tensor | None = None) -> Tensor:
    """Run both directions of an LSTM over sequences of symbols whose inputs are already projected to gates.

    `gates` is (probes, symbols, 8 × hidden), `places` (datasets, items, time) names the symbol at each place,
    and where `inside` (the same shape) is false the state stays as it is. Returns the states after each step,
    (probes, 2, time, items, hidden), each direction in the order in which it reads.
    """
    probes, symbols, width = gates.shape
    settings = probes // len(places)
    hidden = width // 8
    order = _both_directions(places.long()).repeat_interleave(settings, dim=0)
    first = torch.arange(probes, device=places.device).view(-1, 1, 1, 1) * 2 * symbols
    side = torch.arange(2, device=places.device).view(-1, 1, 1)
    rows = (first + 2 * order + side).flatten(0, 1)
    reads = None
    if inside is not None and not inside.all():
        reads = _both_directions(inside).repeat_interleave(settings, dim=0).flatten(0, 1)[..., None]
    table = gates.reshape(probes * symbols * 2, 4 * hidden)
    states: Tensor = _LSTM.apply(  # type: ignore[no-untyped-call]
        table, rows, recurrent.reshape(2 * probes, hidden, 4 * hidden), reads
    )
    return states.view(probes, 2, *states.shape[1:])


def _both_directions(places: Tensor) -> Tensor:
    """(datasets, items, time) -> (datasets, 2, time, items), the second direction reading backwards."""
    return torch.stack((places, places.flip(2)), dim=1).transpose(2, 3)


class _LSTM(torch.autograd.Function):
    """An LSTM over (networks, time, items) rows of a table of gates, with its gradient written out.

    Autograd would keep every intermediate of every step; this works in two buffers and overwrites the gates
    with their gradient, which more than halves the time on a CPU.
    """

    @staticmethod
    def forward(ctx: Any, table: Tensor, rows: Tensor, recurrent: Tensor, inside: Tensor | None) -> Tensor:
        hidden = recurrent.shape[1]
        gates = table.index_select(0, rows.flatten()).view(*rows.shape, 4 * hidden)
        states = gates.new_empty(*rows.shape, hidden)
        cells, squashed = torch.empty_like(states), torch.empty_like(states)
        for step in range(rows.shape[1]):
            now, state, cell = gates[:, step], states[:, step], cells[:, step]
            if step > 0:
                now.baddbmm_(states[:, step - 1], recurrent)
            now[:, :, : 3 * hidden].sigmoid_()
            now[:, :, 3 * hidden :].tanh_()
            enter, keep, leave, candidate = torch.split(now, hidden, dim=2)
            torch.mul(enter, candidate, out=cell)
            if step > 0:
                cell.addcmul_(keep, cells[:, step - 1])
            torch.mul(leave, torch.tanh(cell, out=squashed[:, step]), out=state)
            if inside is not None:
                outside = ~inside[:, step]
                for kept in (cells, states):
                    held = kept[:, step - 1] if step else torch.zeros_like(state)
                    kept[:, step].copy_(torch.where(outside, held, kept[:, step]))
        ctx.save_for_backward(rows, recurrent, inside, gates, states, cells, squashed)
        ctx.symbols = len(table)
        return states

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, Tensor, None]:
        rows, recurrent, inside, gates, states, cells, squashed = ctx.saved_tensors
        hidden = recurrent.shape[1]
        to_recurrent, to_cell = torch.zeros_like(recurrent), torch.zeros_like(cells[:, 0])
        to_state = gradient[:, -1]
        for step in reversed(range(rows.shape[1])):
            now, squash = gates[:, step], squashed[:, step]
            held_state, held_cell = to_state, to_cell
            if inside is not None:
                to_state, to_cell = to_state * inside[:, step], to_cell * inside[:, step]
            enter, keep, leave, candidate = torch.split(now, hidden, dim=2)
            through = to_state * leave
            to_cell = through.addcmul_(through * squash, squash, value=-1).add_(to_cell)
            # The gradient of each gate, before its own slope; then sigmoid' = y(1-y) and tanh' = 1-y².
            to_leave = to_state * squash
            to_keep = to_cell * cells[:, step - 1] if step else None
            to_enter, to_candidate = to_cell * candidate, to_cell * enter
            to_cell = to_cell * keep
            candidate.square_().neg_().add_(1).mul_(to_candidate)
            for gate, slope in ((enter, to_enter), (keep, to_keep), (leave, to_leave)):
                if slope is None:
                    gate.zero_()
                else:
                    gate.addcmul_(gate, gate, value=-1).mul_(slope)
            if step > 0:
                to_recurrent.baddbmm_(states[:, step - 1].transpose(1, 2), now)
                to_state = torch.baddbmm(gradient[:, step - 1], now, recurrent.transpose(1, 2))
                if inside is not None:
                    to_state = to_state + held_state * ~inside[:, step]
                    to_cell = to_cell + held_cell * ~inside[:, step]
        to_table = torch.ops.aten.embedding_dense_backward(gates, rows, ctx.symbols, -1, False)
        return to_table, None, to_recurrent, None


def project(inputs: Tensor, weight: Tensor) -> Tensor:
    """(datasets, n, d) inputs times (probes, d, h) weights: (probes, n, h).

    The probes of one dataset follow each other and share its inputs, in one matrix product.
    """
    datasets, _, width = inputs.shape
    probes, _, outputs = weight.shape
    if probes == datasets:
        return torch.bmm(inputs, weight)
    wide = weight.view(datasets, -1, width, outputs).transpose(1, 2).reshape(datasets, width, -1)
    product = torch.bmm(inputs, wide).view(datasets, inputs.shape[1], -1, outputs)
    return product.transpose(1, 2).reshape(probes, -1, outputs)


def look_up(rows: Tensor, index: Tensor) -> Tensor:
    """For (probes, n, h) rows and (datasets, …) positions in them: (probes, …, h)."""
    probes, n, width = rows.shape
    offsets = torch.arange(probes, device=index.device, dtype=index.dtype) * n
    index = index.repeat_interleave(probes // len(index), dim=0)
    flat = index + offsets.view(-1, *[1] * (index.dim() - 1))
    return torch.nn.functional.embedding(flat, rows.reshape(probes * n, width))
