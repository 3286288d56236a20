"""Any scikit-learn regressor or classifier as a probe."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.probes.base import Answers, Dataset, Prepare, Probe
from numprobe.registry import text_of
from numprobe.tasks import Answer

if TYPE_CHECKING:
    from numprobe.probes.engine.bank import Data

MOST_BYTES = 4 << 30
"""The most memory that the vectors of all training items may take: scikit-learn wants them in one array."""


@dataclass(frozen=True, eq=False)
class EstimatorProbe(Probe):
    """A scikit-learn estimator, fitted anew for each shuffle.

    It gets the vectors of an item's numbers as the embedder gives them, one after another, and targets in their own
    unit. Put a scaler before it with `sklearn.pipeline.make_pipeline` if it needs one.
    """

    standardises: ClassVar[bool] = False
    needs_cpu: ClassVar[bool] = True

    wrapped: Any

    @property
    def answers(self) -> frozenset[Answer]:  # type: ignore[override]
        from sklearn.base import is_classifier, is_regressor

        kinds = {Answer.VALUE: is_regressor, Answer.CHOICE: is_classifier, Answer.CLASS: is_classifier}
        return frozenset(kind for kind, check in kinds.items() if check(self.wrapped))

    def training(self) -> dict[str, Any]:
        made = type(self.wrapped)
        parameters = {name: repr(value) for name, value in self.wrapped.get_params().items()}
        return {"estimator": f"{made.__module__}.{made.__qualname__}", "parameters": parameters}

    def fit(self, kind: Answer, prepare: Prepare, datasets: Sequence[Dataset]) -> Answers:
        from sklearn.base import clone

        given, truths, guesses = [], [], []
        for dataset in datasets:
            prepared = prepare("train", "test", [dataset])
            estimator = clone(self.wrapped)
            if "random_state" in (settings := estimator.get_params()) and settings["random_state"] is None:
                estimator.set_params(random_state=dataset.seed)  # the same cell gives the same scores
            learn, answer = _design(prepared.learn), _design(prepared.answer)
            try:
                estimator.fit(learn, prepared.learn.targets[0].numpy())
                answered = np.asarray(estimator.predict(answer))
            except Exception as error:  # estimators raise what they like
                raise NumprobeError(f"probe {text_of(self)!r} failed: {str(error).partition(chr(10))[0]}") from error
            if answered.shape != (len(answer),):
                raise NumprobeError(f"probe {text_of(self)!r} answered shape {answered.shape} to {len(answer)} items")
            given.append(answered)
            truths.append(prepared.answer.targets[0].numpy())
            guesses.append(prepared.guess[0])
        return Answers(np.stack(given), np.stack(truths), np.stack(guesses), [{}] * len(datasets))


def _design(data: "Data") -> np.ndarray:
    """(items, arity × dimension): the vectors of each item's numbers, one after another."""
    from numprobe.probes.engine.inputs import fixed_table

    table, numbers = fixed_table(data.inputs)[0].numpy(), data.numbers[0].numpy()
    size = numbers.size * table.shape[1] * table.itemsize
    if size > MOST_BYTES:
        raise NumprobeError(
            f"a scikit-learn probe would need {size / 1e9:.1f} GB for the vectors of {len(numbers):,} items: "
            "ask for fewer items (addition:pair_share=…, list-maximum:train_lists=…) or use mlp, bilstm or linear"
        )
    return np.asarray(table[numbers].reshape(len(numbers), -1))
