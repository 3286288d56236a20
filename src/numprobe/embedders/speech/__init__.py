"""Asking a language model in words, wherever it runs. An answer that is known is not asked for again."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar

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


@dataclass(frozen=True)
class Weighed:
    """The logarithm of how likely each candidate is as an answer, and how many tokens were read."""

    logarithms: Sequence[float]
    read: int = 0


Choice = tuple[Dialogue, tuple[str, ...]]
"""A question, and candidates for its answer."""
Asked = TypeVar("Asked", Dialogue, Choice)
Given = TypeVar("Given", Reply, Weighed)


class Speaker(Protocol):
    """A language model that can be asked in words."""

    @property
    def is_paid(self) -> bool:
        """Whether somebody may have to pay for each question."""

    @property
    def about(self) -> list[str]:
        """What tells its answers from those of others."""

    def estimate(self, dialogues: Sequence[Dialogue]) -> int:
        """About how many tokens there are to read."""

    def say(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        """Answer, in any order, some dialogues at a time."""

    def weigh(self, choices: Sequence[Choice]) -> Iterator[dict[Choice, Weighed]]:
        """Tell how likely the candidates are, in any order, some choices at a time."""


class Interview:
    """Asks a speaker, keeps its answers as they arrive, and counts."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        about = json.dumps([VERSION, *speaker.about])
        self._kept = Kept(cache_folder() / ANSWERS / f"{hashlib.sha256(about.encode()).hexdigest()[:20]}.sqlite")
        self.counted = {"questions": 0, "asked": 0, "weighed": 0, "estimated": 0, "read": 0, "written": 0}
        """Questions, those that were not known yet and were asked, those whose candidates were weighed, and tokens:
        estimated before, and counted after."""

    def ask(self, dialogues: Sequence[Dialogue]) -> list[Reply]:
        """The replies, of which those that are not known are asked for."""
        found = self._found(list(dict.fromkeys(dialogues)), Reply, self._said)
        self.counted["questions"] += len(dialogues)
        return [found[one] for one in dialogues]

    def weigh(self, choices: Sequence[Choice]) -> list[Weighed]:
        """How likely candidates are, of which those that are not known are asked for."""
        found = self._found(list(dict.fromkeys(choices)), Weighed, self._told)
        return [found[one] for one in choices]

    def _found(
        self, asked: list[Asked], kind: type[Given], ask: Callable[[Sequence[Asked]], Iterator[dict[Asked, Given]]]
    ) -> dict[Asked, Given]:
        keys = {one: _key(one) for one in asked}

        def find() -> dict[Asked, Given]:
            known = self._kept.find(list(keys.values()))
            return {one: kind(**json.loads(known[key])) for one, key in keys.items() if key in known}

        found = find()
        if len(found) < len(keys):
            # Cells seldom share questions, so only those that cost money wait for each other.
            with self._kept.alone() if self.speaker.is_paid else nullcontext():
                found = find()  # another process may have asked meanwhile
                for arrived in ask([one for one in keys if one not in found]):
                    self._kept.add({keys[one]: json.dumps(asdict(given)).encode() for one, given in arrived.items()})
                    found |= arrived
        return found

    def _said(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        estimated, done = self._estimate(dialogues), 0
        what = f"asking {len(dialogues):,} questions of about {estimated:,} tokens"
        for arrived in self.speaker.say(dialogues):
            done += len(arrived)
            tell(what, done, len(dialogues))
            self.counted["asked"] += len(arrived)
            for reply in arrived.values():
                self.counted["read"] += reply.read
                self.counted["written"] += reply.written
            yield arrived

    def _told(self, choices: Sequence[Choice]) -> Iterator[dict[Choice, Weighed]]:
        estimated, done = self._estimate([one for one, texts in choices for _ in texts]), 0
        what = f"weighing the answers to {len(choices):,} questions, about {estimated:,} tokens"
        for arrived in self.speaker.weigh(choices):
            done += len(arrived)
            tell(what, done, len(choices))
            self.counted["weighed"] += len(arrived)
            self.counted["read"] += sum(own.read for own in arrived.values())
            yield arrived

    def _estimate(self, dialogues: Sequence[Dialogue]) -> int:
        estimated = self.speaker.estimate(dialogues)
        self.counted["estimated"] += estimated
        return estimated


def _key(asked: Dialogue | Choice) -> str:
    told: Any = list(asdict(asked).values()) if isinstance(asked, Dialogue) else [_key(asked[0]), "weighed", asked[1]]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
