"""A language model behind OpenAI's interface, asked in words: /v1/completions or /v1/chat/completions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numprobe.embedders.speech import Dialogue, Reply
from numprobe.errors import NumprobeError
from numprobe.files.asking import Service, TooLarge, at_once

PATHS = {"text": "/completions", "chat": "/chat/completions"}
MOST_BYTES = 1 << 20
"""The longest answer that is read."""
CHARACTERS_PER_TOKEN = 3
"""A cautious estimate of a text full of numbers."""


@dataclass(frozen=True)
class ServiceSpeaker:
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

    def weigh(self, dialogues: Sequence[Dialogue], candidates: Sequence[Sequence[str]]) -> None:
        """Services don't tell how likely a given answer is, or each in its own way."""
        return

    def _ask(self, dialogue: Dialogue) -> Reply:
        wanted: dict[str, Any] = {"model": self.model, "max_tokens": self.pieces, "temperature": 0}
        if self.style == "chat":
            wanted["messages"] = dialogue.messages
        else:
            wanted.update(prompt=dialogue.text, stop=["\n"])
        try:
            answer = self.service.ask(wanted)
        except TooLarge:
            raise NumprobeError(f"{self.service.url} finds a single question too large: ask with fewer shots") from None
        try:
            (choice, *_) = answer["choices"]
            said = choice["message"]["content"] if self.style == "chat" else choice["text"]
            used = answer.get("usage") or {}
            read, written = (int(used.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
        except (TypeError, KeyError, ValueError, AttributeError):
            raise NumprobeError(f"{self.service.url} does not answer as /v1{PATHS[self.style]} does") from None
        if not isinstance(said, str | None):
            raise NumprobeError(f"{self.service.url} answers with something that is not text")
        return Reply((said or "").partition("\n")[0].strip(), read, written)
