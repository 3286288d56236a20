"""Models that answer questions about passages, by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numprobe.drop.data import Passage
from numprobe.drop.language_model import ANSWER_PIECES, LanguageModel, examples_part, passage_part, question_part
from numprobe.embedders.endpoint import Endpoint
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.embedders.speech import STYLES, Dialogue, Interview
from numprobe.errors import one_of
from numprobe.registry import Spec, build

INSTRUCTION = "Answer with a number, or with words of the passage, and with nothing else."
"""What a chat about a passage starts with."""


@dataclass(frozen=True)
class TrainedNAQANet:
    """A NAQANet from its training folder, or the one shipped with numprobe."""

    folder: str = ""

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
        """Yield (query id, answer)."""
        from numprobe.drop.naqanet.files import load_reader

        yield from load_reader(self.folder).answer_passages(passages).items()


@dataclass(frozen=True)
class EndpointReader:
    """A language model behind OpenAI's interface. Each question is asked once, with its passage."""

    url: str
    model: str
    style: str = "chat"
    """`chat` asks /v1/chat/completions, `text` asks /v1/completions with the examples that local models get."""
    key_variable: str = "OPENAI_API_KEY"
    """The environment variable that holds the key."""
    concurrency: int = 4
    timeout: float = 60.0
    retries: int = 6

    def __post_init__(self) -> None:
        one_of("style", self.style, STYLES)

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
        """Yield (query id, answer), passage by passage."""
        service = Endpoint(
            self.url,
            self.model,
            key_variable=self.key_variable,
            concurrency=self.concurrency,
            timeout=self.timeout,
            retries=self.retries,
        )
        interview = Interview(service.speaker(self.style, ANSWER_PIECES))
        before = examples_part() if self.style == "text" else ""
        for passage in passages:
            asked = [
                Dialogue((before + passage_part(passage.text) + question_part(one.text)).strip(), (), INSTRUCTION)
                for one in passage.questions
            ]
            said = interview.ask(asked)
            yield from ((one.id, reply.text) for one, reply in zip(passage.questions, said, strict=True))


ReadingModel = LanguageModel | TrainedNAQANet | EndpointReader
READING_MODELS: dict[str, type[Any]] = {
    "language-model": LanguageModel,
    "naqanet": TrainedNAQANet,
    "endpoint": EndpointReader,
}
"""Name -> dataclass whose fields are the model's settings."""

CONTEXTUAL = "naqanet-contextual"
"""The second model that is shipped with numprobe."""

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
    elif spec.name == CONTEXTUAL:
        spec = Spec("naqanet", (("folder", CONTEXTUAL), *spec.settings))
    elif spec.name not in READING_MODELS and ("/" in spec.name or Path(spec.name).is_dir()):
        spec = Spec("language-model", (("model", spec.name), *spec.settings))
    one_of("model", spec.name, (*READING_MODELS, CONTEXTUAL, *LANGUAGE_MODELS))
    model: ReadingModel = build("model", READING_MODELS, spec)
    return model
