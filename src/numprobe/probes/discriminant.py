"""Linear discriminant analysis: the nearest mean of a class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Discriminant(Probe):
    """A linear classifier: the class with the nearest mean, measured by how the vectors of a class vary."""

    name: ClassVar[str] = "discriminant"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CLASS})
    shuffles: ClassVar[int] = 20
    standardises: ClassVar[bool] = False
    needs_cpu: ClassVar[bool] = True
    is_solved: ClassVar[bool] = True

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.2

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.nearest import fit_nearest

        return fit_nearest(kind, prepare, datasets, _means)


def _means(states: "Tensor", known: "Tensor", every: "Tensor") -> "tuple[Tensor, Tensor, Tensor]":
    """The classes, the mean of each, and what the means leave over."""
    found = known.unique(return_inverse=True, return_counts=True)  # type: ignore[no-untyped-call]
    labels, places, counts = found
    sums = states.new_zeros(len(labels), states.shape[1]).index_add_(0, places, states)
    means = sums / counts[:, None]
    return labels, means, states - means[places]
