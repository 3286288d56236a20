"""The helix: states as a line and circles over the numbers (Kantamneni and Tegmark, 2025)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.errors import NumprobeError
from numprobe.probes.base import Answers, Dataset, Prepare
from numprobe.probes.bases import MOST_CANDIDATES, NumberProbe, circles
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Helix(NumberProbe):
    """States predicted from numbers, by a line and circles; the answer is the number with the nearest state."""

    name: ClassVar[str] = "helix"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    shuffles: ClassVar[int] = 20
    standardises: ClassVar[bool] = False
    needs_cpu: ClassVar[bool] = True
    is_solved: ClassVar[bool] = True
    shapes: ClassVar[tuple[str, ...]] = ("helix",)
    most_candidates: ClassVar[int | None] = MOST_CANDIDATES

    periods: str = "2+5+10+100"
    """Once around each circle takes so many numbers."""

    def __post_init__(self) -> None:
        try:
            found = self._periods
        except ValueError:
            found = ()
        if not found or not all(1 < period < math.inf for period in found):
            raise NumprobeError(f"periods must be numbers above 1, such as 2+5+10+100, not {self.periods!r}")

    @property
    def _periods(self) -> tuple[float, ...]:
        return tuple(float(part) for part in self.periods.split("+"))

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.3

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.nearest import fit_nearest

        return fit_nearest(kind, prepare, datasets, self._points)

    def _points(self, states: "Tensor", known: "Tensor", every: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
        """The numbers, the point of each on the helix, and what the helix leaves over."""
        import torch

        features = self._features(known, every)
        weights = torch.linalg.lstsq(features, states, driver="gelsd").solution  # periods may repeat each other
        return every, self._features(every, every) @ weights, states - features @ weights

    def _features(self, numbers: "Tensor", among: "Tensor") -> "Tensor":
        """(n, 2 + 2 × periods): a constant, the line, and the circles."""
        import torch

        periods = torch.tensor(self._periods, dtype=torch.float64)
        line = 2 * (numbers.double() - among[0]) / (among[-1] - among[0]) - 1
        return torch.cat((torch.ones_like(line)[:, None], line[:, None], circles(numbers, periods)), dim=1)
