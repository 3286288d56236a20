"""Cosine: the model as it is, with nothing learned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from numprobe.errors import one_of
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from torch import Tensor

    from numprobe.probes.engine.bank import Data

QUERIES = ("seen", "hidden")
"""Whether a probe sees the query of an item, or the mean of all queries that it learned from."""

TIE = 9
"""Cosines that agree to so many decimals are equal, and the first of them wins; right answers stand anywhere."""


@dataclass(frozen=True)
class Cosine(Probe):
    """Choose what has the largest cosine with the query: the model as it is. Nothing is learned."""

    name: ClassVar[str] = "cosine"
    answers: ClassVar[frozenset[Answer]] = frozenset({Answer.CHOICE})
    standardises: ClassVar[bool] = False
    needs_query: ClassVar[bool] = True
    needs_cpu: ClassVar[bool] = True

    query: str = "seen"

    def __post_init__(self) -> None:
        one_of("query", self.query, QUERIES)

    @property
    def blind(self) -> Self | None:
        return replace(self, query="hidden") if self.query == "seen" else None

    def cost(self, numbers: int, items: int, learned: bool) -> float:
        return 0.02

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        import torch

        given, truths = [], []
        for dataset in datasets:
            prepared = prepare("train" if self.query == "hidden" else "test", "test", [dataset])
            vectors, numbers = _unit_vectors(prepared.answer), prepared.answer.numbers[0].long()
            queries = vectors[numbers[:, 0]]
            if self.query == "hidden":
                known = _unit_vectors(prepared.learn)[prepared.learn.numbers[0, :, 0].long()]
                queries = known.mean(dim=0, keepdim=True).expand_as(queries)
            scores = torch.einsum("id,icd->ic", queries, vectors[numbers[:, 1:]])
            given.append(1 + scores.round(decimals=TIE).argmax(dim=1).numpy())
            truths.append(prepared.answer.targets[0].numpy())
        return Answers(np.stack(given), np.stack(truths), np.zeros(len(datasets)), [{}] * len(datasets))


def _unit_vectors(data: "Data") -> "Tensor":
    from numprobe.probes.engine.inputs import fixed_table

    table = fixed_table(data.inputs)[0].double()
    lengths = table.norm(dim=1, keepdim=True)
    unit: Tensor = table / lengths.where(lengths > 0, 1)
    return unit
