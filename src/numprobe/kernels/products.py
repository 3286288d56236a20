"""Products of matrices for a whole bank.

PyTorch multiplies matrices of single precision with MKL, which reaches less than half of oneDNN's speed on AMD
processors. oneDNN comes with PyTorch, but has to be asked for.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

WORTH_ASKING = 4_000_000
"""From so many multiplications on, oneDNN's speed makes up for laying out its operands."""


def products(left: Tensor, right: Tensor) -> Tensor:
    """(datasets, n, k) @ (networks, k, m), without gradients: (networks, n, m)."""
    if _by_one_dnn(left, right):
        return torch.stack(list(_each(left, right)))
    shared = len(right) // len(left)
    return torch.bmm(left if shared == 1 else left.repeat_interleave(shared, dim=0), right)


def add_products(terms: Tensor, left: Tensor, right: Tensor, out: Tensor) -> None:
    """Write terms + left @ right to `out`, without gradients."""
    if _by_one_dnn(left, right):
        for term, made, into in zip(terms, _each(left, right), out, strict=True):
            torch.add(term, made, out=into)
    else:
        torch.baddbmm(terms, left, right, out=out)


def product(rows: Tensor, weights: Tensor) -> Tensor:
    """(datasets, n, k) rows @ (networks, k, m) weights: (networks, n, m). A dataset's networks follow one another."""
    made: Tensor = _Product.apply(rows, weights)  # type: ignore[no-untyped-call]
    return made


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, weights: Tensor) -> Tensor:
        ctx.save_for_backward(rows, weights)
        return products(rows, weights)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor]:
        rows, weights = ctx.saved_tensors
        to_rows = None
        if ctx.needs_input_grad[0]:
            to_rows = products(gradient, weights.mT)
            to_rows = to_rows.view(len(rows), -1, *to_rows.shape[1:]).sum(dim=1)
        return to_rows, products(rows.mT, gradient)


def _by_one_dnn(left: Tensor, right: Tensor) -> bool:
    is_large = left.shape[1] * right.shape[1] * right.shape[2] >= WORTH_ASKING
    return is_large and left.dtype == torch.float32 and left.device.type == "cpu" and torch._C._has_mkldnn


def _each(left: Tensor, right: Tensor) -> Iterator[Tensor]:
    shared = len(right) // len(left)
    for at, other in enumerate(right):
        yield torch.ops.mkldnn._linear_pointwise(left[at // shared], other.mT, None, "none", [], "")
