"""Models that answer questions about passages, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from numprobe.drop.data import Passage
from numprobe.drop.language_model import LanguageModel
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.errors import unknown
from numprobe.registry import Spec, build

Prediction = str | list[str]
"""An answer, as the official metric takes it."""


class ReadingModel(Protocol):
    """Whatever answers questions; nothing else about it need be known."""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, Prediction]]:
        """(query id, answer) for every question of the passages."""


@dataclass(frozen=True)
class TrainedNAQANet:
    """A NAQANet from the folder of its training, or the one that comes with numprobe."""

    folder: str = ""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, Prediction]]:
        from numprobe.drop.naqanet.answering import predict
        from numprobe.drop.naqanet.files import load_reader

        for name, found in predict(load_reader(self.folder), passages).items():
            yield name, found.text


MODELS: dict[str, type[Any]] = {"language-model": LanguageModel, "naqanet": TrainedNAQANet}
"""Name -> dataclass whose fields are the model's settings."""

LANGUAGE_MODELS = ("smollm2-135m",)
"""Those of the catalogue of weights that write text."""


def load_model(name: str) -> ReadingModel:
    """A model by name: one of `MODELS`, a language model of the catalogue, a folder that holds one, or a hub id.

    >>> load_model("someone/some-model:commit=0a1b2c")
    LanguageModel(model='someone/some-model', gguf='', commit='0a1b2c', trust_remote_code='no')
    """
    spec = Spec.parse(name)
    if spec.name not in MODELS:
        spec = Spec("language-model", (*_source(spec.name).items(), *spec.settings))
    model: ReadingModel = build("model", MODELS, spec)
    return model


def _source(name: str) -> dict[str, str]:
    if name in LANGUAGE_MODELS:
        return dict(catalogue()[name].settings)
    if not ("/" in name or Path(name).is_dir()):
        raise unknown("model", name, (*MODELS, *LANGUAGE_MODELS))
    return {"model": name}
