"""Models that answer questions about passages, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numprobe.drop.data import Passage
from numprobe.drop.language_model import LanguageModel
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.errors import one_of
from numprobe.registry import Spec, build


@dataclass(frozen=True)
class TrainedNAQANet:
    """A NAQANet from its training folder, or the one shipped with numprobe."""

    folder: str = ""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
        """Yield (query id, answer)."""
        from numprobe.drop.naqanet.files import load_reader

        yield from load_reader(self.folder).answer_passages(passages).items()


ReadingModel = LanguageModel | TrainedNAQANet
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
    if spec.name in LANGUAGE_MODELS:
        spec = Spec("language-model", (*catalogue()[spec.name].settings.items(), *spec.settings))
    elif spec.name not in READING_MODELS and ("/" in spec.name or Path(spec.name).is_dir()):
        spec = Spec("language-model", (("model", spec.name), *spec.settings))
    one_of("model", spec.name, (*READING_MODELS, *LANGUAGE_MODELS))
    model: ReadingModel = build("model", READING_MODELS, spec)
    return model
