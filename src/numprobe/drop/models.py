"""Models that answer questions about passages, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numprobe.drop.data import Passage
from numprobe.drop.language_model import LanguageModel
from numprobe.drop.metric import Prediction
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.errors import unknown
from numprobe.registry import Spec, build


class ReadingModel(Protocol):
    """Anything that answers questions."""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, Prediction]]:
        """Yield (query id, answer) for every question about the passages."""


@dataclass(frozen=True)
class TrainedNAQANet:
    """A NAQANet from its training folder, or the one shipped with numprobe."""

    folder: str = ""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, Prediction]]:
        from numprobe.drop.naqanet.answering import answer_passages
        from numprobe.drop.naqanet.files import load_reader

        yield from answer_passages(load_reader(self.folder), passages).items()


READING_MODELS: dict[str, type[Any]] = {"language-model": LanguageModel, "naqanet": TrainedNAQANet}
"""Name -> dataclass whose fields are the model's settings."""

LANGUAGE_MODELS = ("smollm2-135m",)
"""The members of the catalogue of weights that generate text."""


def load_model(name: str) -> ReadingModel:
    """A model by name: one of `READING_MODELS` or `LANGUAGE_MODELS`, the folder of a language model, or a hub id.

    >>> load_model("someone/some-model:commit=0a1b2c")
    LanguageModel(model='someone/some-model', gguf='', commit='0a1b2c', trust_remote_code='no')
    """
    spec = Spec.parse(name)
    if spec.name not in READING_MODELS:
        spec = Spec("language-model", (*_source(spec.name).items(), *spec.settings))
    model: ReadingModel = build("model", READING_MODELS, spec)
    return model


def _source(name: str) -> dict[str, str]:
    if name in LANGUAGE_MODELS:
        return dict(catalogue()[name].settings)
    if not ("/" in name or Path(name).is_dir()):
        raise unknown("model", name, (*READING_MODELS, *LANGUAGE_MODELS))
    return {"model": name}
