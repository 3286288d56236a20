"""Asking a language model in words, wherever it runs. An answer that is known is not asked for again."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from numprobe.embedders.tables import ANSWERS
from numprobe.files import cache_folder
from numprobe.files.kept import Kept
from numprobe.files.reading import tell

STYLES = ("text", "chat")
"""A model continues a text, or answers in a chat."""
INSTRUCTION = "Answer with the number alone."
"""What a chat about numbers starts with."""
VERSION = 1
"""Raised when the same model would answer the same question otherwise."""


@dataclass(frozen=True)
class Dialogue:
    """A question, and answered ones before it.

    >>> print(Dialogue("3 + 4 =", (("1 + 1 =", "2"),)).text)
    1 + 1 = 2
    3 + 4 =
    """

    question: str
    examples: tuple[tuple[str, str], ...] = ()
    instruction: str = INSTRUCTION
    """What a chat starts with."""

    @property
    def text(self) -> str:
        """The text to continue."""
        gap = "\n\n" if "\n" in self.question else "\n"
        return "".join(f"{question} {answer}{gap}" for question, answer in self.examples) + self.question

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat to continue."""
        said = [("system", self.instruction)]
        for question, answer in self.examples:
            said += [("user", question), ("assistant", answer)]
        return [{"role": role, "content": content} for role, content in (*said, ("user", self.question))]


@dataclass(frozen=True)
class Reply:
    """The first line of what a model said, and how many tokens it read and wrote."""

    text: str
    read: int = 0
    written: int = 0


class Speaker(Protocol):
    """A language model that can be asked in words."""

    @property
    def about(self) -> list[str]:
        """What tells its answers from those of others."""

    def estimate(self, dialogues: Sequence[Dialogue]) -> int:
        """About how many tokens there are to read."""

    def say(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        """Answer, in any order, some dialogues at a time."""

    def weigh(self, dialogues: Sequence[Dialogue], candidates: Sequence[Sequence[str]]) -> list[list[float]] | None:
        """The logarithm of how likely each candidate is as an answer; None if the model does not tell."""


class Interview:
    """Asks a speaker, keeps its answers as they arrive, and counts."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        about = json.dumps([VERSION, *speaker.about])
        self._kept = Kept(cache_folder() / ANSWERS / f"{hashlib.sha256(about.encode()).hexdigest()[:20]}.sqlite")
        self.counted = {"questions": 0, "asked": 0, "estimated": 0, "read": 0, "written": 0}
        """Questions, those of them that were not known yet, and tokens: estimated before, and counted after."""

    def ask(self, dialogues: Sequence[Dialogue]) -> list[Reply]:
        """The replies, of which those that are not known are asked for."""
        keys = {one: _key(one) for one in dialogues}
        found = self._find(keys)
        if len(found) < len(keys):
            with self._kept.alone():
                found = self._find(keys)  # another process may have asked meanwhile
                missing = [one for one in keys if one not in found]
                for arrived in self._said(missing):
                    self._kept.add({keys[one]: json.dumps(asdict(reply)).encode() for one, reply in arrived.items()})
                    found |= arrived
        self.counted["questions"] += len(dialogues)
        return [found[one] for one in dialogues]

    def _find(self, keys: dict[Dialogue, str]) -> dict[Dialogue, Reply]:
        known = self._kept.find(list(keys.values()))
        return {one: Reply(**json.loads(known[key])) for one, key in keys.items() if key in known}

    def _said(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        estimated, done = self.speaker.estimate(dialogues), 0
        what = f"asking {len(dialogues):,} questions of about {estimated:,} tokens"
        self.counted["estimated"] += estimated
        for arrived in self.speaker.say(dialogues):
            done += len(arrived)
            tell(what, done, len(dialogues))
            self.counted["asked"] += len(arrived)
            for reply in arrived.values():
                self.counted["read"] += reply.read
                self.counted["written"] += reply.written
            yield arrived


def _key(dialogue: Dialogue) -> str:
    return hashlib.sha256(json.dumps(list(asdict(dialogue).values())).encode()).hexdigest()
