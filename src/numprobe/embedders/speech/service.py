"""A language model behind OpenAI's interface, asked in words: /v1/completions or /v1/chat/completions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from numprobe.embedders.speech import Choice, Dialogue, Reply, Weighed
from numprobe.errors import NumprobeError
from numprobe.files.asking import Service, TooLarge, at_once

PATHS = {"text": "/completions", "chat": "/chat/completions"}
MOST_BYTES = 1 << 20
"""The longest answer that is read."""
CHARACTERS_PER_TOKEN = 3
"""A cautious estimate of a text full of numbers."""


@dataclass(frozen=True)
class ServiceSpeaker:
    """A model behind an address. What it was asked is kept by the address and the model's name."""

    is_paid: ClassVar[bool] = True

    service: Service
    model: str
    style: str
    pieces: int
    """The most tokens in an answer."""
    concurrency: int

    @property
    def about(self) -> list[str]:
        return [self.service.url, self.model, str(self.pieces)]

    def estimate(self, dialogues: Sequence[Dialogue]) -> int:
        return sum(math.ceil(len(one.text) / CHARACTERS_PER_TOKEN) for one in dialogues)

    def say(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        for one, reply in at_once(self._ask, dialogues, self.concurrency):
            yield {one: reply}

    def weigh(self, choices: Sequence[Choice]) -> Iterator[dict[Choice, Weighed]]:
        """Let the service repeat each question with each candidate and the end of the line, and say how likely it is.

        Services that complete texts can do so (`echo` and `logprobs`), but not all do.
        """
        if self.style == "chat":
            raise NumprobeError("a chat does not tell how likely a given answer is: use style=text")
        for one, weighed in at_once(self._weigh, choices, self.concurrency):
            yield {one: weighed}

    def _weigh(self, choice: Choice) -> Weighed:
        dialogue, candidates = choice
        texts = [f"{dialogue.text} {text}\n" for text in candidates]
        answer = self._answer(1, prompt=texts, echo=True, logprobs=1)
        try:
            found = sorted(answer["choices"], key=lambda one: one["index"])
            logarithms = [
                _logarithm(one["logprobs"], len(dialogue.text), text) for one, text in zip(found, texts, strict=True)
            ]
            return Weighed(tuple(logarithms), int((answer.get("usage") or {}).get("prompt_tokens") or 0))
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            raise NumprobeError(
                f"{self.service.url} does not tell how likely given texts are: use likelihoods=no"
            ) from None

    def _answer(self, most: int, **more: Any) -> Any:
        """What the service answers, with at most so many new tokens."""
        try:
            return self.service.ask({"model": self.model, "max_tokens": most, "temperature": 0, **more})
        except TooLarge:
            raise NumprobeError(f"{self.service.url} finds a single question too large: ask with fewer shots") from None

    def _ask(self, dialogue: Dialogue) -> Reply:
        if self.style == "chat":
            answer = self._answer(self.pieces, messages=dialogue.messages)
        else:
            answer = self._answer(self.pieces, prompt=dialogue.text, stop=["\n"])
        try:
            (choice, *_) = answer["choices"]
            said = choice["message"]["content"] if self.style == "chat" else choice["text"]
            used = answer.get("usage") or {}
            read, written = (int(used.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            raise NumprobeError(f"{self.service.url} does not answer as /v1{PATHS[self.style]} does") from None
        if not isinstance(said, str | None):
            raise NumprobeError(f"{self.service.url} answers with something that is not text")
        return Reply((said or "").partition("\n")[0].strip(), read, written)


def _logarithm(told: dict[str, Any], start: int, text: str) -> float:
    """How likely the end of a text is, from what a service tells about each token that it repeated.

    Tokens before and after the text are left out: some services put a start token first, and all write one more.

    >>> told = {"tokens": ["<s>", "1", "=", " 1", "\\n", "2"], "token_logprobs": [None, -9, -9, -2, -1, -9]}
    >>> _logarithm(told, len("1="), "1= 1\\n")
    -3.0
    """
    tokens = told["tokens"]
    shift = "".join(tokens).index(text)
    total, end = 0.0, 0
    for token, logarithm in zip(tokens, told["token_logprobs"], strict=True):
        begin, end = end, end + len(token)
        if begin < shift + len(text) and end > shift + start:
            total += float(logarithm)
    return total
