"""Numbers as points of a line, of circles and of waves, and probes that look for one among candidates."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from numprobe.numbers import Facts, Range
from numprobe.probes.base import Probe
from numprobe.tasks import Task

if TYPE_CHECKING:
    from torch import Tensor


MOST_CANDIDATES = 20_000
"""Candidates among which a probe can look for a number, within reasonable time and memory."""


class NumberProbe(Probe):
    """A probe that tells which whole number it is."""

    has_negatives: ClassVar[bool] = True
    """Whether it can tell numbers below 0."""
    most_candidates: ClassVar[int | None] = None
    """How many numbers it can compare; None if it compares none."""

    def problem(self, task: Task, numbers: Sequence[Range]) -> str:
        if not task.asks_for_number:
            return "it tells which number it is, and nothing else"
        if any(part.decimals or (isinstance(part, Facts) and (part.values() % 1).any()) for part in numbers):
            return "it tells whole numbers only"
        if not self.has_negatives and any(part.low < 0 for part in numbers):
            return "it can't tell numbers below 0"
        if self.most_candidates is not None:
            if any(part.sampling for part in numbers):
                return "it looks for the number among all of a range, and this is a sample"
            if sum(part.size for part in numbers) > self.most_candidates:
                return f"it looks for the number among at most {self.most_candidates:,}"
        return ""


def circles(numbers: "Tensor", periods: "Tensor") -> "Tensor":
    """(…, 2 × periods): the cosines and then the sines of a number, once around per period.

    >>> import torch
    >>> circles(torch.tensor([0.0, 5.0]), torch.tensor([10.0])).round().tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    import torch

    # Whole turns drop out first: the cosine of a huge angle is inexact.
    angles = 2 * math.pi * (numbers.double()[..., None] / periods.double() % 1)
    return torch.cat((angles.cos(), angles.sin()), dim=-1)


def digits_of(numbers: "Tensor", base: int, places: int) -> "Tensor":
    """(…, places): the digits of whole numbers in a base, the last one first, with zeros for those that lack.

    >>> import torch
    >>> digits_of(torch.tensor([75]), base=10, places=3).tolist()
    [[5, 7, 0]]
    """
    import torch

    units = base ** torch.arange(places, device=numbers.device)
    return numbers.round().long()[..., None] // units % base


def from_digits(digits: "Tensor", base: int) -> "Tensor":
    """(…,) the numbers with these digits."""
    import torch

    return (digits * base ** torch.arange(digits.shape[-1], device=digits.device)).sum(dim=-1)
