"""Numeric retrieval: which document does "phones under 300 dollars" ask for?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from numprobe.errors import NumprobeError, at_least, at_most, one_of
from numprobe.numbers import FORMS, Form, Mention
from numprobe.tasks.base import Answer, Items, Part, Pool, Task
from numprobe.tasks.sampling import without_replacement
from numprobe.tasks.wordings import CONDITIONS, KNOWN, NEGATED, NEW, WORDINGS, Wordings, read_corpus, wordings

OPPOSITES = ("less", "more")
"""Conditions that share their candidates, and that a probe learns together."""

EITHER = "either"
"""Both of them in turn, so that nobody gains by always preferring the smaller number."""

REACH = 8
"""Documents lie within so many parts of the pool around a number of its middle."""


@dataclass(frozen=True)
class Retrieval(Task):
    """A query such as "phones under 300 dollars", and documents that differ in the number alone: which is right?

    Thresholds and numbers of the test are held out, and so is its wording, unless it is `known`. Distances to the
    threshold have the same distribution for right and wrong documents. Whoever learns, learns `less` and `more`
    together, from the same candidates, so that the lower document is right half of the time.
    """

    name: ClassVar[str] = "retrieval"
    answer: ClassVar[Answer] = Answer.CHOICE
    probe: ClassVar[str] = "cosine"
    metric: ClassVar[str] = "accuracy"
    version: ClassVar[int] = 3
    has_query: ClassVar[bool] = True
    writes_sentences: ClassVar[bool] = True

    condition: str = "less"
    """less, more, either of the two in turn, between, or exact."""
    documents: int = 2
    """How many there are to choose from."""
    document_form: str = ""
    """How documents write their numbers, if otherwise than the query."""
    wording: str = NEW
    """What the test says: new words, the known ones of the training, or negated ones such as "no more than"."""
    corpus: str = ""
    """A text file of your own documents, a line each; the first number of each line is changed."""
    train_items: int = 2_000
    test_items: int = 1_000

    def __post_init__(self) -> None:
        one_of("condition", self.condition, (*CONDITIONS, EITHER))
        one_of("wording", self.wording, WORDINGS)
        if self.wording == NEGATED and self.condition not in (*OPPOSITES, EITHER):
            raise NumprobeError(f"wording={NEGATED} needs condition less, more or either, not {self.condition}")
        at_least(2, documents=self.documents)
        at_most(20, documents=self.documents)
        at_least(2, train_items=self.train_items, test_items=self.test_items)
        at_most(1_000_000, train_items=self.train_items, test_items=self.test_items)
        if self.corpus:
            read_corpus(self.corpus)

    @property
    def arity(self) -> int:
        return 1 + self.documents

    @property
    def forms(self) -> Sequence[Form]:
        return (FORMS.build(self.document_form),) if self.document_form else ()

    @property
    def revision(self) -> str:
        """Tells one corpus from another."""
        return read_corpus(self.corpus)[1] if self.corpus else ""

    def quick(self) -> Self:
        return replace(self, train_items=1_000, test_items=500)

    def needs(self, pool: Pool) -> str | None:
        least = REACH * max(self.documents, 2)
        found = len(pool.values)
        return None if found >= least else f"it needs {least} numbers, and there are {found}"

    def draw(self, pool: Pool, part: Part, rng: np.random.Generator) -> Items:
        count = self.train_items if part == "train" else self.test_items
        in_turn = self.condition == EITHER or (self.condition in OPPOSITES and pool.part != "test")
        asked = OPPOSITES if in_turn else (self.condition,)
        conditions = np.resize([CONDITIONS.index(one) for one in asked], count)
        low, high, documents = self._numbers(len(pool.values), conditions, rng)
        places = rng.permuted(np.tile(np.arange(self.documents), (count, 1)), axis=1)
        documents = np.take_along_axis(documents, places, axis=1)
        right = places.argmin(axis=1)  # the first of the documents is the right one
        said = wordings(self.corpus, self.wording if pool.part == "test" else KNOWN)
        rows: dict[Mention, int] = {}
        numbers = np.empty((count, self.arity), dtype=np.int32)
        values, form = pool.values.tolist(), self.forms[0] if self.forms else None
        for item in range(count):
            thresholds = low[item], high[item]
            mentions = self._mentions(said, conditions[item], thresholds, documents[item], values, form, rng)
            numbers[item] = [rows.setdefault(mention, len(rows)) for mention in mentions]
        return Items(numbers, 1 + right, list(rows))

    def _numbers(
        self, size: int, conditions: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions in the pool: of the lower and the upper threshold, and of documents with the right one first."""
        count, reach = len(conditions), size // REACH
        middle = rng.integers(3 * reach, size - 3 * reach, size=count)
        offsets = 1 + rng.permuted(without_replacement(np.full(count, reach), self.documents, rng), axis=1)
        if self.condition in (*OPPOSITES, EITHER):  # the right document on one side, the others on the other side
            is_less = (conditions == CONDITIONS.index(OPPOSITES[0]))[:, None]
            offsets = np.where(is_less, offsets, offsets[:, ::-1])  # so that two documents are the same for both
            side = np.where(is_less, -1, 1)
            sides = np.where(np.arange(self.documents) == 0, side, -side)
            return middle, middle, middle[:, None] + sides * offsets
        # The documents come first, and any of them may be right: no place among them tells which.
        documents = middle[:, None] + rng.choice((-1, 1), offsets.shape) * 2 * offsets
        right = documents[:, 0]
        if self.condition == "exact":
            return right, right, documents
        gap = np.abs(documents[:, 1:] - right[:, None]).min(axis=1)  # at least 2
        widest = np.minimum(gap - 1, reach)
        return right - rng.integers(1, widest + 1), right + rng.integers(1, widest + 1), documents

    def _mentions(
        self,
        said: Wordings,
        condition: int,
        thresholds: tuple[int, int],
        documents: np.ndarray,
        values: list[float],
        form: Form | None,
        rng: np.random.Generator,
    ) -> list[Mention]:
        """The query, and the documents in the same words."""
        relations = said.relations[CONDITIONS[condition]]
        domain = said.domains[rng.integers(len(said.domains))]
        query = domain.ask(relations[rng.integers(len(relations))])
        document = domain.documents[rng.integers(len(domain.documents))]
        asked = tuple(values[at] for at in thresholds[: query.count("{number}")])
        return [Mention(asked, query), *(Mention((values[at],), document, form) for at in documents.tolist())]
