"""What a probe is: it learns from some numbers, and answers questions about others."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from numprobe.numbers import FOLDS, Range
from numprobe.tasks import Answer, Task

if TYPE_CHECKING:
    from torch import Tensor

    from numprobe.embedders.speech import Speaker
    from numprobe.probes.engine.bank import Data


ENOUGH = 32
"""The least number of development numbers on which settings are chosen, where there are so many."""


class Dataset(NamedTuple):
    """What one probe learns from: a shuffle, and a layer of the embedder.

    >>> Dataset(seed=3)
    Dataset(seed=3, layer=0, fold=0)
    """

    seed: int
    layer: int = 0
    fold: int = 0
    """Which fifth of the training numbers is for development."""


@dataclass(frozen=True)
class Prepared:
    """What to learn from and what to answer, for some datasets.

    >>> import torch
    >>> from numprobe.probes.engine.bank import Data
    >>> from numprobe.probes.engine.inputs import FixedInputs
    >>> data = Data(FixedInputs(torch.zeros(1, 2, 3)), torch.tensor([[[0], [1]]]), torch.tensor([[-1.0, 1.0]]))
    >>> numbers = torch.arange(100).double()
    >>> truths, shift, scale = torch.tensor([[40.0, 60.0]]), torch.tensor([[50.0]]), torch.tensor([[10.0]])
    >>> prepared = Prepared(data, data, truths, shift, scale, every=numbers)
    >>> prepared.in_unit(data.targets, Answer.VALUE)[0].tolist(), prepared.guess.tolist()
    ([[40.0, 60.0]], [50.0])
    """

    learn: "Data"
    answer: "Data"
    truths: "Tensor"
    """(datasets, items): the targets to answer in their original unit, which standardised ones only approach."""
    shift: "Tensor"
    """(datasets, 1): the mean of the targets to learn."""
    scale: "Tensor"
    """(datasets, 1): their deviation."""
    every: "Tensor"
    """All numbers of the cell in increasing order: the candidates of a probe that looks for a number."""

    @property
    def guess(self) -> np.ndarray:
        """(datasets,): the mean of the targets to learn in their original unit, or 0 where they are no values."""
        targets = self.learn.targets.cpu()
        mean = targets.double().mean(dim=1) * targets.is_floating_point()
        guess: np.ndarray = (mean * self.scale[:, 0] + self.shift[:, 0]).numpy()
        return guess

    def in_unit(self, answers: "Tensor", kind: Answer) -> tuple[np.ndarray, np.ndarray]:
        """Answers and targets, (datasets, items), with values in their original unit."""
        given = answers.cpu()
        if kind is Answer.VALUE:
            given = given.double() * self.scale + self.shift
        return given.numpy(), self.truths.numpy()


Prepare = Callable[[str, str, Sequence[Dataset]], Prepared]
"""(part to learn from, part to answer, datasets) -> data. The parts are those of a Split."""


def development(prepare: Prepare, datasets: Sequence[Dataset]) -> tuple[Prepared, Sequence[Dataset]]:
    """Lay out the numbers that choose settings, in as many folds as it takes to choose on `ENOUGH` numbers.

    The folds of a dataset follow one another.
    """
    prepared = prepare("fit", "development", datasets)
    folds = min(FOLDS, math.ceil(ENOUGH / prepared.answer.inputs.count))
    if folds == 1:
        return prepared, datasets
    folded = [dataset._replace(fold=fold) for dataset in datasets for fold in range(folds)]
    return prepare("fit", "development", folded), folded


@dataclass(frozen=True)
class Answers:
    """What the probes answered to the test items, (datasets, items), in the original unit.

    >>> answers = Answers(np.array([[4.0, 8.0]]), np.array([[4.0, 9.0]]), np.array([5.0]), choices=[{}])
    >>> float(abs(answers.given - answers.truths).max())
    1.0
    """

    given: np.ndarray
    truths: np.ndarray
    guesses: np.ndarray
    """(datasets,): the mean of the targets that each probe learned from."""
    choices: Sequence[dict[str, Any]]
    """The settings that each dataset's development numbers chose."""
    made: dict[str, Any] = field(default_factory=dict)
    """What it took, such as requests and tokens; not the same in every run."""


@dataclass(frozen=True)
class Questions:
    """The items of one part of a split, as texts.

    >>> asked = Questions(["3", "50", "99"], np.array([[0, 2], [1, 1]]), np.array([102, 100]))
    >>> asked.words(0), len(asked)
    (['3', '99'], 2)
    """

    texts: Sequence[str]
    """The numbers of the part."""
    numbers: np.ndarray
    """(items, arity) positions in the texts."""
    targets: np.ndarray

    def __len__(self) -> int:
        return len(self.targets)

    def words(self, at: int) -> list[str]:
        """The texts of an item's numbers."""
        return [self.texts[place] for place in self.numbers[at].tolist()]

    def some(self, most: int, rng: np.random.Generator) -> "Questions":
        """A random sample of the items, in their order. A smaller sample is part of a larger one."""
        chosen = np.sort(rng.permutation(len(self))[:most])
        return Questions(self.texts, self.numbers[chosen], self.targets[chosen])


Word = Callable[[str, Dataset], Questions]
"""(part of a split, dataset) -> its items as texts."""


class Probe:
    """Whoever answers. Subclass it as a frozen dataclass and define `fit`.

    >>> import numprobe
    >>> @dataclass(frozen=True)
    ... class Mean(Probe):
    ...     name = "mean"
    ...     answers = frozenset({Answer.VALUE})
    ...     def fit(self, kind, prepare, datasets):
    ...         prepared = prepare("train", "test", datasets)
    ...         nothing = prepared.answer.targets.new_zeros(prepared.answer.targets.shape)
    ...         return Answers(*prepared.in_unit(nothing, kind), prepared.guess, [{}] * len(datasets))
    >>> result = numprobe.probe("length", probe=Mean())[0]
    >>> round(result.mean / result.guessing, 3)
    1.0
    """

    name: ClassVar[str]
    answers: ClassVar[frozenset[Answer]]
    """The kinds of answer that it can give."""
    shuffles: ClassVar[int] = 5
    """How many shuffles there are unless asked otherwise. The paper has five (Section 3.1)."""
    trains_embedders: ClassVar[bool] = False
    """Whether an embedder can learn together with it."""
    standardises: ClassVar[bool] = True
    """Whether it takes centred and scaled vectors and standardised targets, and not the raw ones."""
    needs_query: ClassVar[bool] = False
    """Whether it answers only tasks whose items begin with a query."""
    needs_cpu: ClassVar[bool] = False
    """Whether it computes on the processor only."""
    is_solved: ClassVar[bool] = False
    """Whether it is solved in closed form, and not trained."""
    shapes: ClassVar[tuple[str, ...]] = ()
    """The names and settings under which it looks for numbers in a shape of its own, for sweeps over such probes."""
    asks_in_words: ClassVar[bool] = False
    """Whether it reads no vectors, and asks the embedder's language model instead: it defines `ask`, and not `fit`."""
    most_items: int = 0
    """The most test items per shuffle, a random sample; 0 for all of them."""

    def problem(self, task: Task, numbers: Sequence[Range]) -> str:
        """Say why it can't answer a task about these numbers, in words; empty if it can."""
        return ""

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        """Estimate the seconds that one core takes for one shuffle."""
        return 1.0

    def training(self) -> dict[str, Any]:
        """The settings of the training that the scores depend on, for the hash of a cell."""
        return {}

    @property
    def blind(self) -> "Probe | None":
        """The same probe without the query, as a baseline; None if it makes no use of one."""
        return None

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        """Train on each dataset and answer its test items. Touch the test numbers once."""
        raise NotImplementedError

    def ask(self, task: Task, speaker: "Speaker", word: Word, datasets: Sequence[Dataset]) -> Answers:
        """Ask a language model the test items of each dataset."""
        raise NotImplementedError

    def speaker(self, embedder: Any) -> "Speaker":
        """The language model of an embedder, to be asked as this probe asks."""
        raise NotImplementedError
