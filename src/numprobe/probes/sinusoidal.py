"""The sinusoidal probe: a bilinear form of a vector and the waves of a candidate number (Kadlčík et al., 2025)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from numprobe.errors import at_least
from numprobe.probes.base import Answers, Dataset, Prepare
from numprobe.probes.bases import MOST_CANDIDATES, NumberProbe
from numprobe.tasks import Answer


class Basis(NamedTuple):
    """How many waves a probe takes, and how it whitens the vectors."""

    waves: int
    """How many waves: those with the most power in the training vectors."""
    floor: float
    """Whitening leaves directions short whose variance is less than this share of the largest."""


BASES = (
    Basis(8, 1e-3),
    Basis(16, 1e-1),
    Basis(16, 1e-3),
    Basis(32, 1e-1),
    Basis(32, 1e-2),
    Basis(32, 1e-3),
    Basis(32, 1e-5),
    Basis(64, 1e-2),
)
"""What development numbers choose from."""


@dataclass(frozen=True)
class Sinusoidal(NumberProbe):
    """The likeliest candidate, by a bilinear form of the vector and of sines and cosines of the candidate.

    It learns to tell the training numbers apart, and is then asked to find a number among all of them.
    """

    name: ClassVar[str] = "sinusoidal"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.VALUE})
    standardises: ClassVar[bool] = False  # it whitens the vectors, and needs to know the numbers
    needs_cpu: ClassVar[bool] = True
    shapes: ClassVar[tuple[str, ...]] = ("sinusoidal",)
    most_candidates: ClassVar[int | None] = MOST_CANDIDATES

    rate: float = 0.01
    batch: int = 256
    most_steps: int = 800

    def __post_init__(self) -> None:
        at_least(1, batch=self.batch, most_steps=self.most_steps)

    @property
    def steps(self) -> list[int]:
        """The steps that are tried one after another, the first with every basis.

        >>> Sinusoidal().steps
        [50, 200, 800]
        """
        return sorted({min(steps, self.most_steps) for steps in (50, 200, self.most_steps)})

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.002 * (1 + numbers / 1000) * (len(BASES) * self.steps[0] + self.most_steps)

    def training(self) -> dict[str, Any]:
        return {"bases": BASES, "steps": self.steps}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from numprobe.probes.engine.waves import fit_waves

        return fit_waves(self, BASES, kind, prepare, datasets)
