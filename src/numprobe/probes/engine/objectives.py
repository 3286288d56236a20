"""What networks learn and are judged by, for each kind of answer. There is one figure per probe."""

from torch import Tensor
from torch.nn.functional import cross_entropy

from numprobe.tasks import Answer


class Choosing:
    """Learn the likelihood of the right position; judge by the share of wrong ones."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return cross_entropy(outputs.transpose(1, 2), targets, reduction="none").mean(dim=1)

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs.argmax(dim=2)

    def errors(self, answers: Tensor, targets: Tensor) -> Tensor:
        return (answers != targets).cpu().double().mean(dim=1)

    def guessing(self, arity: int) -> float | None:
        """The error of guessing."""
        return 1 - 1 / arity


class Estimating:
    """Learn standardised values, and judge by the mean squared error."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return (outputs - targets).square().mean(dim=1)

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs

    def errors(self, answers: Tensor, targets: Tensor) -> Tensor:
        return (answers - targets).cpu().double().square().mean(dim=1)

    def guessing(self, arity: int) -> float | None:
        """None: even probes that have learnt nothing yet tell good settings from bad ones."""
        return None


Objective = Choosing | Estimating
OBJECTIVES: dict[Answer, Objective] = {Answer.CHOICE: Choosing(), Answer.VALUE: Estimating()}
