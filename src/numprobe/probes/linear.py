"""Linear regression, solved exactly (Appendix D.1)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from numprobe.errors import NumprobeError, one_of
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

PENALTIES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0)
"""The penalties that are tried."""

TARGETS = ("value", "log")


@dataclass(frozen=True)
class Linear(Probe):
    """Linear regression. Development numbers choose the penalty on its weights; 0 is plain least squares."""

    name: ClassVar[str] = "linear"
    shuffles: ClassVar[int] = 20  # they cost next to nothing
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    standardises: ClassVar[bool] = False  # it centres and scales in double precision
    needs_cpu: ClassVar[bool] = True  # solved in double precision, which not every accelerator has
    is_solved: ClassVar[bool] = True
    shapes: ClassVar[tuple[str, ...]] = ("linear", "linear:target=log")

    penalty: float | None = None
    target: str = "value"
    """What it is linear in: the value, or its logarithm (log)."""

    def __post_init__(self) -> None:
        if self.penalty is not None and not self.penalty >= 0:
            raise NumprobeError(f"penalty must not be negative: {self.penalty:g}")
        one_of("target", self.target, TARGETS)

    @property
    def _penalties(self) -> tuple[float, ...]:
        return PENALTIES if self.penalty is None else (self.penalty,)

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.1

    def training(self) -> dict[str, Any]:
        return {"penalties": self._penalties}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.least_squares import choose_penalties, solve

        outputs = _Logarithms() if self.target == "log" else _Values()
        chosen = choose_penalties(prepare, datasets, self._penalties, outputs.write)
        prepared = prepare("train", "test", datasets)
        learn, _ = outputs.write(prepared.learn.targets, prepared.answer.targets)
        found = solve(prepared.learn, chosen.chosen, learn).predict(prepared.answer)[:, 0]
        given, truths = prepared.in_unit(outputs.read(found, prepared.learn.targets), kind)
        choices = [
            {"penalty": penalty, "error": error, "folds": chosen.folds}
            for penalty, error in zip(chosen.chosen[:, 0].tolist(), chosen.errors[:, 0].tolist(), strict=True)
        ]
        return Answers(given=given, truths=truths, guesses=prepared.guess, choices=choices)


class _Values:
    """One output: the value."""

    def write(self, learn: "Tensor", answer: "Tensor") -> "tuple[Tensor, Tensor]":
        """Both as (datasets, items, outputs)."""
        return learn[:, :, None], answer[:, :, None]

    def read(self, outputs: "Tensor", learned: "Tensor") -> "Tensor":
        """(datasets, items) answers of (datasets, outputs, items)."""
        return outputs[:, 0]


class _Logarithms(_Values):
    """One output: the logarithm; where some numbers are not above 0, sign(x) · log(1 + |x|)."""

    is_signed = False

    def write(self, learn: "Tensor", answer: "Tensor") -> "tuple[Tensor, Tensor]":
        self.is_signed = bool(min(learn.min(), answer.min()) <= 0)
        return super().write(self._logarithm(learn), self._logarithm(answer))

    def _logarithm(self, values: "Tensor") -> "Tensor":
        values = values.double()
        return values.sign() * values.abs().log1p() if self.is_signed else values.log()

    def read(self, outputs: "Tensor", learned: "Tensor") -> "Tensor":
        """Answers stay within a factor of two of what was learned from: beyond, errors would grow without bound."""
        least, largest = self._logarithm(learned).aminmax(dim=1, keepdim=True)
        held = outputs[:, 0].clamp(least - math.log(2), largest + math.log(2))
        return held.sign() * held.abs().expm1() if self.is_signed else held.exp()
