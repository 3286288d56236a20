"""What networks learn and are judged by, for each kind of answer. There is one figure per probe."""

from torch import Tensor
from torch.nn.functional import cross_entropy

from numprobe.tasks import Answer


class Choosing:
    """Learn the likelihood of the right position; judge by the share of wrong ones."""

    least_gain = 0.005
    """Fewer errors by this share of a guesser's are no gain."""
    guess: float | None = None
    """What to answer where a network does worse than guessing; None if it answers all the same."""

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return cross_entropy(outputs.transpose(1, 2), targets, reduction="none").mean(dim=1)

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs.argmax(dim=2)

    def errors(self, answers: Tensor, targets: Tensor, arity: int) -> Tensor:
        """The share of wrong answers, relative to guessing."""
        return (answers != targets).cpu().double().mean(dim=1) / (1 - 1 / arity)


class Estimating:
    """Learn standardised values, and judge by the root of the mean squared error."""

    least_gain = 0.0005
    guess: float | None = 0.0

    def losses(self, outputs: Tensor, targets: Tensor) -> Tensor:
        return (outputs - targets).square().mean(dim=1)

    def slopes(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """The gradient of the losses by the outputs."""
        return (outputs - targets).mul_(2 / targets.shape[1])

    def answers(self, outputs: Tensor) -> Tensor:
        return outputs

    def errors(self, answers: Tensor, targets: Tensor, arity: int) -> Tensor:
        """The error relative to guessing the mean of the values to learn, which standardisation has made zero."""
        guessing = targets.cpu().double().square().mean(dim=1)
        squared = (answers - targets).cpu().double().square().mean(dim=1)
        return (squared / guessing.where(guessing > 0, 1)).sqrt()


Objective = Choosing | Estimating
OBJECTIVES: dict[Answer, Objective] = {Answer.CHOICE: Choosing(), Answer.VALUE: Estimating()}
