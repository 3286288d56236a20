"""How answers are scored. A metric is a function of what was answered, what was right, and a guess."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from numprobe.registry import Registry
from numprobe.tasks import Answer

Axis = Literal["linear", "log"]


class Metric:
    """One way to score answers. Subclass it as a frozen dataclass and define `score`.

    >>> metric = METRICS.build("rmse")
    >>> metric.score(np.array([3.0, 9.0]), np.array([4.0, 8.0]), guess=6.0), metric.direction
    (1.0, 'lower is better')
    """

    name: ClassVar[str]
    answer: ClassVar[Answer]
    """What it scores: choices, values or classes."""
    higher_is_better: ClassVar[bool]
    unit: ClassVar[str] = ""
    """What it is measured in, such as `the numbers' own`; empty for a share."""
    axis: ClassVar[Axis] = "linear"
    """The scale of a chart's axis."""
    decimals: ClassVar[int] = 2
    """How many of them tables show."""
    across: ClassVar[str] = ""
    """The metric to compare results about different numbers in; empty if this one will do."""
    in_order: ClassVar[str] = ""
    """The metric that looks at the order of the answers alone, and not at how far off all of them are; or empty."""

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        """Score the answers to the items of one shuffle. `guess` is the mean of the training items' targets."""
        raise NotImplementedError

    def guessing(self, choices: int, score: float, across: float | None) -> float | None:
        """What guessing scores on items with so many choices; a score is known, and perhaps the same in `across`."""
        return None

    def better(self, one: float, other: float) -> bool:
        """Whether the first score is better than the second."""
        return one > other if self.higher_is_better else one < other

    @property
    def direction(self) -> str:
        return "higher is better" if self.higher_is_better else "lower is better"


@dataclass(frozen=True)
class Accuracy(Metric):
    """The share of right choices."""

    name: ClassVar[str] = "accuracy"
    answer: ClassVar[Answer] = Answer.CHOICE
    higher_is_better: ClassVar[bool] = True

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.mean(answers == truths))

    def guessing(self, choices: int, score: float, across: float | None) -> float | None:
        return 1 / choices


@dataclass(frozen=True)
class RootMeanSquaredError(Metric):
    """The root of the mean squared error."""

    name: ClassVar[str] = "rmse"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "the numbers' own"
    axis: ClassVar[Axis] = "log"
    across: ClassVar[str] = "normalised-error"
    in_order: ClassVar[str] = "spearman"

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.sqrt(np.mean(np.square(answers - truths))))

    def guessing(self, choices: int, score: float, across: float | None) -> float | None:
        return score / across if across else None


@dataclass(frozen=True)
class NormalisedError(Metric):
    """The root mean squared error, divided by that of always answering the mean of the training items.

    Where that guess is always right, guessing counts as off by one, so that the score is finite.

    >>> truths = np.array([1.0, 3.0])
    >>> NormalisedError().score(np.array([1.5, 3.5]), truths, guess=2.0)
    0.5
    """

    name: ClassVar[str] = "normalised-error"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "the error of guessing"
    axis: ClassVar[Axis] = "log"
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        error = RootMeanSquaredError()
        guessing = error.score(np.full(truths.shape, guess), truths, guess)
        return error.score(answers, truths, guess) / (guessing or 1.0)

    def guessing(self, choices: int, score: float, across: float | None) -> float | None:
        return 1.0


@dataclass(frozen=True)
class Determination(Metric):
    """R²: one minus the squared error over that of the test items' own mean; 0 if they are all equal and missed."""

    name: ClassVar[str] = "r2"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        missed = float(np.sum(np.square(answers - truths)))
        spread = float(np.sum(np.square(truths - np.mean(truths))))
        return 1 - missed / spread if spread else float(not missed)


@dataclass(frozen=True)
class LogError(Metric):
    """The root mean squared error of sign(x) · log10(1 + |x|), so that each power of ten counts alike."""

    name: ClassVar[str] = "log-rmse"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "powers of ten"
    axis: ClassVar[Axis] = "log"
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        answers, truths = (np.sign(x) * np.log1p(np.abs(x)) / np.log(10) for x in (answers, truths))
        return RootMeanSquaredError().score(answers, truths, guess)


@dataclass(frozen=True)
class Spearman(Metric):
    """Spearman's rank correlation of answers and truths; a constant answer scores 0."""

    name: ClassVar[str] = "spearman"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        from scipy.stats import spearmanr

        return float(spearmanr(answers, truths).statistic) if _vary(answers, truths) else 0.0


@dataclass(frozen=True)
class Kendall(Metric):
    """Kendall's rank correlation (τ-b) of answers and truths; a constant answer scores 0."""

    name: ClassVar[str] = "kendall"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        from scipy.stats import kendalltau

        if not _vary(answers, truths):
            return 0.0
        return float(kendalltau(answers, truths, method="asymptotic").statistic)  # the method is that of its p-value


def _vary(*arrays: np.ndarray) -> bool:
    """Whether there is an order in each array to correlate."""
    return all(len(array) > 1 and np.ptp(array) > 0 for array in arrays)


@dataclass(frozen=True)
class MedianRelativeError(Metric):
    """The median of the errors, each divided by the size of the truth, or by 1 where that is smaller."""

    name: ClassVar[str] = "median-relative-error"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = False
    axis: ClassVar[Axis] = "log"
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.median(np.abs(answers - truths) / np.maximum(np.abs(truths), 1)))


def _share_within(share: float, answers: np.ndarray, truths: np.ndarray) -> float:
    """The share of answers at most this share of the truth away; where the truth is 0, those that round to 0."""
    # A hair more than the share: 99 is 1 % away from 100, also in floating point.
    near = np.abs(answers - truths) <= (share + 1e-12) * np.abs(truths)
    return float(np.mean(np.where(truths == 0, np.abs(answers) < 0.5, near)))


@dataclass(frozen=True)
class WithinOnePercent(Metric):
    """The share of answers at most 1 % of the truth away; where the truth is 0, of those that round to 0."""

    name: ClassVar[str] = "within-1-percent"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return _share_within(0.01, answers, truths)


@dataclass(frozen=True)
class WithinTenPercent(Metric):
    """The share of answers at most 10 % of the truth away; where the truth is 0, of those that round to 0."""

    name: ClassVar[str] = "within-10-percent"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return _share_within(0.1, answers, truths)


@dataclass(frozen=True)
class Exact(Metric):
    """The share of answers that are exactly right, as they are or rounded to whole numbers."""

    name: ClassVar[str] = "exact"
    answer: ClassVar[Answer] = Answer.VALUE
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        return float(np.mean((np.rint(answers) == truths) | (np.abs(answers - truths) < 1e-6)))


@dataclass(frozen=True)
class Kappa(Metric):
    """Cohen's κ: 1 if every class is right, 0 if no more are than by chance with the same shares of each class.

    >>> truths = np.array([0, 0, 1, 1])
    >>> Kappa().score(np.array([0, 0, 1, 0]), truths, guess=0.0)
    0.5
    """

    name: ClassVar[str] = "kappa"
    answer: ClassVar[Answer] = Answer.CLASS
    higher_is_better: ClassVar[bool] = True
    decimals: ClassVar[int] = 3

    def score(self, answers: np.ndarray, truths: np.ndarray, guess: float) -> float:
        agreed = float(np.mean(answers == truths))
        classes = np.unique(np.concatenate((answers, truths)))
        shares = [np.mean(given[:, None] == classes, axis=0) for given in (answers, truths)]
        by_chance = float(shares[0] @ shares[1])
        return (agreed - by_chance) / (1 - by_chance) if by_chance < 1 else float(agreed == 1)

    def guessing(self, arity: int, score: float, across: float | None) -> float | None:
        return 0.0


METRICS: Registry[Metric] = Registry(
    "metric", "numprobe.metrics", required=("name", "answer", "higher_is_better", "score")
)
