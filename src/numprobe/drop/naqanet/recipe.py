"""How NAQANet is trained; the paper's settings are the defaults."""

from dataclasses import dataclass

from numprobe.errors import NumprobeError, at_least


@dataclass(frozen=True)
class Recipe:
    rate: float = 5e-4
    betas: tuple[float, float] = (0.8, 0.999)
    epsilon: float = 1e-7
    penalty: float = 1e-7
    """Times the sum of the squared weights."""
    largest_gradient: float = 5.0
    """Longer gradients are cut to this norm."""
    decay: float = 0.9999
    """Of the moving average of the weights, with which the model is judged and kept; less in the first steps."""
    questions: int = 16
    """In a batch."""
    together: int = 4
    """Questions of one passage that are in a batch: their passage is encoded once, but they are less different."""
    characters_seen: int = 200
    """A character that is read less often has no embedding of its own."""
    augment: bool = False
    """Also show each comparative and superlative question with other numbers in its passage."""
    between: int = 0
    """Steps between two evaluations; 0: a pass over the data."""
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, questions=self.questions, together=self.together, characters_seen=self.characters_seen)
        at_least(0, seed=self.seed, between=self.between)
        if not self.rate > 0:
            raise NumprobeError(f"rate must be more than 0, not {self.rate}")


@dataclass(frozen=True)
class Bounds:
    """When training ends; a run that is taken up again may have others."""

    passes: int = 50
    patience: int = 10
    """Evaluations without a better F1."""
    steps: int | None = None
    minutes: float | None = None
    """Of training and evaluation, those before an interruption included."""

    def __post_init__(self) -> None:
        at_least(1, passes=self.passes, patience=self.patience, **({} if self.steps is None else {"steps": self.steps}))
        if self.minutes is not None and not self.minutes > 0:
            raise NumprobeError(f"minutes must be more than 0, not {self.minutes}")
