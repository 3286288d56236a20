"""Linear regression, solved exactly (Appendix D.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numprobe.errors import NumprobeError
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

PENALTIES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)
"""The penalties that are tried."""


@dataclass(frozen=True)
class Linear(Probe):
    """Linear regression. Development numbers choose the penalty on its weights; 0 is plain least squares."""

    name: ClassVar[str] = "linear"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    needs_cpu: ClassVar[bool] = True  # solved in double precision, which not every accelerator has

    penalty: float | None = None

    def __post_init__(self) -> None:
        if self.penalty is not None and not self.penalty >= 0:
            raise NumprobeError(f"penalty must not be negative: {self.penalty:g}")

    @property
    def _penalties(self) -> tuple[float, ...]:
        return PENALTIES if self.penalty is None else (self.penalty,)

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.1

    def training(self) -> dict[str, Any]:
        return {"penalties": self._penalties}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.least_squares import equations, predict

        chosen = [self._penalties[0]] * len(datasets)
        if len(self._penalties) > 1:
            chosen = self._choose(prepare, datasets)
        prepared = prepare("train", "test", datasets)
        answers = predict(equations(prepared.learn).solve(chosen), prepared.answer)
        return Answers(*prepared.in_unit(answers, kind), [{"penalty": penalty} for penalty in chosen])

    def _choose(self, prepare: Prepare, datasets: Sequence[Dataset]) -> list[float]:
        """Find the penalty with the least error on each dataset's development numbers."""
        import torch

        from numprobe.probes.engine.fitting import CHOOSING_ITEMS
        from numprobe.probes.engine.least_squares import equations, predict

        prepared = prepare("fit", "development", datasets)
        system, judged = equations(prepared.learn), prepared.answer.thinned(CHOOSING_ITEMS)
        errors = []
        for penalty in self._penalties:
            answers = predict(system.solve([penalty] * len(datasets)), judged)
            errors.append((answers - judged.targets).square().mean(dim=1))
        return [self._penalties[at] for at in torch.stack(errors).argmin(dim=0).tolist()]
