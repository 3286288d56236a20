"""Linear regression, solved exactly (Appendix D.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numprobe.errors import NumprobeError
from numprobe.probes.base import Answers, Dataset, Prepare, Probe, development
from numprobe.tasks import Answer

PENALTIES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0)
"""The penalties that are tried."""


@dataclass(frozen=True)
class Linear(Probe):
    """Linear regression. Development numbers choose the penalty on its weights; 0 is plain least squares."""

    name: ClassVar[str] = "linear"
    shuffles: ClassVar[int] = 20  # they cost next to nothing
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    standardises: ClassVar[bool] = False  # it centres and scales in double precision
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
        import torch

        from numprobe.probes.engine.least_squares import equations

        choices = self._choose(prepare, datasets)
        prepared = prepare("train", "test", datasets)
        chosen = torch.tensor([[choice["penalty"]] for choice in choices], dtype=torch.float64)
        answers = equations(prepared.learn).solve(chosen).predict(prepared.answer)[:, 0]
        given, truths = prepared.in_unit(answers, kind)
        return Answers(given=given, truths=truths, guesses=prepared.guess, choices=choices)

    def _choose(self, prepare: Prepare, datasets: Sequence[Dataset]) -> list[dict[str, float]]:
        """Find the penalty with the least error on each dataset's development numbers, and that error."""
        import torch

        from numprobe.probes.engine.fitting import CHOOSING_ITEMS
        from numprobe.probes.engine.least_squares import equations

        prepared, folded = development(prepare, datasets)
        system, judged = equations(prepared.learn), prepared.answer.thinned(CHOOSING_ITEMS)
        tried = torch.tensor(self._penalties, dtype=torch.float64).expand(len(folded), -1)
        targets = judged.targets.double()
        errors = (system.solve(tried).predict(judged) - targets[:, None]).square().mean(dim=2).sqrt()
        guessing = (targets - system.guesses[:, None]).square().mean(dim=1).sqrt()
        errors = (errors / guessing.where(guessing > 0, 1)[:, None]).view(len(datasets), -1, len(self._penalties))
        least, at = errors.mean(dim=1).min(dim=1)
        return [
            {"penalty": self._penalties[best], "error": error, "folds": errors.shape[1]}
            for best, error in zip(at.tolist(), least.tolist(), strict=True)
        ]
