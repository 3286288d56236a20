"""What networks learn and are judged by, for each kind of answer."""

from typing import Protocol

from torch import Tensor
from torch.nn.functional import cross_entropy

from numprobe.tasks import Answer


class Objective(Protocol):
    """All of these take (probes, items) targets and give one figure per probe."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """What training makes small."""

    def answers(self, outputs: Tensor) -> Tensor:
        """(probes, items) answers: positions, or standardised values."""

    def errors(self, answers: Tensor, targets: Tensor) -> Tensor:
        """What settings are chosen by; lower is better."""

    def guessing(self, arity: int) -> float | None:
        """The error of guessing, or None where a probe that has learnt nothing still tells good settings from bad."""


class _Choosing:
    """Negative log-likelihood of the right position; the share of wrong answers."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return cross_entropy(outputs.transpose(1, 2), targets, reduction="none").mean(dim=1)

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs.argmax(dim=2)

    def errors(self, answers: Tensor, targets: Tensor) -> Tensor:
        return (answers != targets).cpu().double().mean(dim=1)

    def guessing(self, arity: int) -> float | None:
        return 1 - 1 / arity


class _Estimating:
    """Mean squared error."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return (outputs - targets).square().mean(dim=1)

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs

    def errors(self, answers: Tensor, targets: Tensor) -> Tensor:
        return (answers - targets).cpu().double().square().mean(dim=1)

    def guessing(self, arity: int) -> float | None:
        return None


OBJECTIVES: dict[Answer, Objective] = {Answer.CHOICE: _Choosing(), Answer.VALUE: _Estimating()}
