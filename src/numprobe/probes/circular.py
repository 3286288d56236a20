"""The circular probe: a circle for each digit (Levy and Geva, 2025)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from numprobe.errors import at_least, at_most
from numprobe.probes.base import Answers, Dataset, Prepare
from numprobe.probes.bases import NumberProbe, circles, digits_of, from_digits
from numprobe.probes.linear import PENALTIES
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Circular(NumberProbe):
    """A linear map to a circle per digit, in any base; the angle tells the digit, and the digits the number."""

    name: ClassVar[str] = "circular"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    shuffles: ClassVar[int] = 20
    standardises: ClassVar[bool] = False
    needs_cpu: ClassVar[bool] = True
    is_solved: ClassVar[bool] = True
    shapes: ClassVar[tuple[str, ...]] = ("circular",)
    has_negatives: ClassVar[bool] = False

    base: int = 10

    def __post_init__(self) -> None:
        at_least(2, base=self.base)
        at_most(1000, base=self.base)

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.2

    def training(self) -> dict[str, Any]:
        return {"penalties": PENALTIES}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        """Each digit of each dataset chooses a penalty of its own."""
        import torch

        from numprobe.probes.engine.least_squares import choose_penalties, solve

        prepared = prepare("train", "test", datasets)
        largest = max(prepared.learn.targets.max(), prepared.answer.targets.max())
        places = _places(int(largest), self.base)

        def write(learn: "Tensor", answer: "Tensor") -> "tuple[Tensor, Tensor]":
            return self._written(learn, places), self._written(answer, places)

        chosen = choose_penalties(prepare, datasets, PENALTIES, write, groups=places)
        solution = solve(prepared.learn, chosen.chosen, self._written(prepared.learn.targets, places))
        points = solution.predict(prepared.answer).view(len(datasets), places, places, 2, -1)
        own = torch.arange(places)
        points = points[:, own, own]  # each digit by the regression with its own penalty: (datasets, places, 2, items)
        angles = torch.atan2(points[:, :, 1], points[:, :, 0]) / (2 * math.pi)
        found = from_digits((angles * self.base).round().long().mT % self.base, self.base)
        given, truths = prepared.in_unit(found, kind)
        choices = [
            {"penalties": penalties, "error": sum(errors) / places, "folds": chosen.folds}
            for penalties, errors in zip(chosen.chosen.tolist(), chosen.errors.tolist(), strict=True)
        ]
        return Answers(given=given, truths=truths, guesses=prepared.guess, choices=choices)

    def _written(self, numbers: "Tensor", places: int) -> "Tensor":
        """(datasets, items, places × 2): cosine and sine of each digit."""
        import torch

        return circles(digits_of(numbers, self.base, places), torch.tensor([float(self.base)])).flatten(2)


def _places(largest: int, base: int) -> int:
    """How many digits the largest number has.

    >>> _places(999, 10), _places(1000, 10), _places(0, 2)
    (3, 4, 1)
    """
    places = 1
    while base**places <= largest:
        places += 1
    return places
