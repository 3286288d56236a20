"""A causal language model on this machine, asked in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from numprobe.embedders.speech import Choice, Dialogue, Reply, Weighed
from numprobe.embedders.speech.writing import Writer, load_writer
from numprobe.embedders.states import States
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors

if TYPE_CHECKING:
    import torch

TOGETHER = 32
"""Questions that are answered at once."""

Change = Callable[["torch.Tensor"], "torch.Tensor"]
"""Takes and gives (places, dimension) states, in double precision."""
Source = tuple[str, str, str, bool, str]
"""Where a model comes from: source, GGUF file, commit, whether to trust its code, revision."""


@dataclass(frozen=True)
class LocalSpeaker:
    """A model on this machine. It also shows its states, and lets them be changed."""

    is_paid: ClassVar[bool] = False

    source: Source
    dtype: str
    device: str
    device_map: str
    has_start: bool
    """Whether to put a start token first where the tokenizer puts none there."""
    style: str
    pieces: int
    """The most word pieces in an answer."""

    @property
    def about(self) -> list[str]:
        source, gguf, commit, _, revision = self.source
        return [revision or f"{source} {commit}", gguf, self.dtype, str(self.has_start), self.style, str(self.pieces)]

    @cached_property
    def writer(self) -> Writer:
        return load_writer(*self.source, self.dtype, self.device, self.device_map)

    @property
    def model(self) -> Any:
        return self.writer.model

    @property
    def tokenizer(self) -> Any:
        return self.writer.tokenizer

    def ids(self, dialogue: Dialogue) -> list[int]:
        """What the model reads."""
        return self._fitting(self._tokenised(self._whole(dialogue))[0])

    def _fitting(self, ids: list[int]) -> list[int]:
        """Refuse what is too long for the model."""
        if len(ids) + self.pieces > self.writer.longest:
            raise NumprobeError(
                f"a question has {len(ids):,} word pieces and its answer up to {self.pieces}, but {self.source[0]} "
                f"takes only {self.writer.longest:,.0f}: ask with fewer shots"
            )
        return ids

    def _whole(self, dialogue: Dialogue) -> str:
        """The text that the model reads, with the marks of a chat."""
        if self.style != "chat":
            return dialogue.text
        if not self.tokenizer.chat_template:
            raise NumprobeError(f"{self.source[0]} has no chat template: ask it with style=text")
        with one_line_errors(f"the chat template of {self.source[0]}", "use"):
            made = self.tokenizer.apply_chat_template(dialogue.messages, add_generation_prompt=True, tokenize=False)
        return str(made)

    def _tokenised(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The pieces of a text, and where each stands in it; the start token stands nowhere."""
        adds = self.style != "chat"  # a template has its own
        made = self.tokenizer(text, add_special_tokens=adds, return_offsets_mapping=True, verbose=False)
        start = self.start if adds else []
        return start + list(made["input_ids"]), [(0, 0)] * len(start) + list(made["offset_mapping"])

    def states(self, dialogues: Sequence[Dialogue], spans: Sequence[Sequence[tuple[int, int]]]) -> np.ndarray:
        """(layers, dialogues, spans + 1, dimension): the states at the last piece of each span, and of everything.

        The spans are those of numbers in the questions.
        """
        located = [self.located(one, own) for one, own in zip(dialogues, spans, strict=True)]
        read: list[np.ndarray] = [np.empty(0)] * len(located)
        for at, found in States(self.model.base_model).of([ids for ids, _ in located]):
            ids, places = located[at]
            read[at] = found[:, [*(own[-1] for own in places), len(ids) - 1]].numpy()
        return np.stack(read, axis=1)

    def located(self, dialogue: Dialogue, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[list[int]]]:
        """What the model reads, and the places of the pieces of each span of the question."""
        whole = self._whole(dialogue)
        shift = whole.rfind(dialogue.question)
        if shift < 0:
            raise NumprobeError(f"{self.source[0]} changes the question in its chat template: ask it with style=text")
        ids, offsets = self._tokenised(whole)
        return self._fitting(ids), [
            [at for at, (first, last) in enumerate(offsets) if first < shift + end and last > shift + start]
            for start, end in spans
        ]

    @cached_property
    def start(self) -> list[int]:
        """The token that is put before every text: one or none."""
        return first_token(self.tokenizer)[1] if self.has_start else []

    def estimate(self, dialogues: Sequence[Dialogue]) -> int:
        return sum(len(self.ids(one)) for one in dialogues)

    def say(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        asked = {one: self.ids(one) for one in dialogues}
        order = sorted(asked, key=lambda one: asked[one])  # so that a batch shares its beginning
        for first in range(0, len(order), TOGETHER):
            some = order[first : first + TOGETHER]
            begun = self.writer.begin([asked[one] for one in some], room=self.pieces)
            written = self.writer.go_on(begun, self.pieces)
            yield {
                one: Reply(self.writer.line(pieces)[0], len(asked[one]), len(pieces))
                for one, pieces in zip(some, written, strict=True)
            }

    def weigh(self, choices: Sequence[Choice]) -> Iterator[dict[Choice, Weighed]]:
        """Each candidate with the end of the answer, or 1 would be at least as likely as 12."""
        ends = self._ends
        for first in range(0, len(choices), TOGETHER):
            some = choices[first : first + TOGETHER]
            prompts = [self.ids(dialogue) for dialogue, _ in some]
            answers = [[self._candidate(text) + ends for text in texts] for _, texts in some]
            begun = self.writer.begin(prompts, room=max(len(pieces) for own in answers for pieces in own))
            found = self.writer.weigh(begun, answers)
            yield {
                one: Weighed(tuple(own), len(prompt) * len(own))
                for one, prompt, own in zip(some, prompts, found, strict=True)
            }

    @property
    def _ends(self) -> list[int]:
        if self.style == "chat":
            return [] if self.tokenizer.eos_token_id is None else [self.tokenizer.eos_token_id]
        return list(self.tokenizer("\n", add_special_tokens=False).input_ids)[-1:]

    def _candidate(self, text: str) -> list[int]:
        """The pieces of an answer after those of a question."""
        before, gap = ("\n", "") if self.style == "chat" else ("=", " ")  # no sign merges with these
        whole: list[int] = self.tokenizer(f"{before}{gap}{text}", add_special_tokens=False).input_ids
        return whole[len(self.tokenizer(before, add_special_tokens=False).input_ids) :]

    def changed(
        self, prompts: Sequence[list[int]], places: Sequence[Sequence[int]], layer: int, change: "Change"
    ) -> list[str]:
        """What the model says where the states after a layer are changed at some places of each prompt."""
        import torch

        said: list[str] = []
        for first in range(0, len(prompts), TOGETHER):
            some = prompts[first : first + TOGETHER]
            longest = max(map(len, some))
            marked = torch.zeros(len(some), longest, dtype=torch.bool)
            for row, (prompt, own) in enumerate(zip(some, places[first : first + TOGETHER], strict=True)):
                marked[row, [longest - len(prompt) + place for place in own]] = True

            def hook(module: Any, inputs: Any, output: Any, marked: torch.Tensor = marked) -> Any:
                hidden = output[0] if isinstance(output, tuple) else output
                hidden = hidden.clone()
                hidden[marked] = change(hidden[marked].cpu().double()).to(hidden)
                return (hidden, *output[1:]) if isinstance(output, tuple) else hidden

            with self.writer.after(layer, hook):
                begun = self.writer.begin(some, shares=False)
            said += [self.writer.line(pieces)[0] for pieces in self.writer.go_on(begun, self.pieces)]
        return said


def first_token(tokenizer: Any) -> tuple[str, list[int]]:
    """The token to put before a text that a model reads from left to right, and its ids; nothing if there is none."""
    if any(tokenizer("0", return_special_tokens_mask=True)["special_tokens_mask"][:1]):
        return "", []
    for token, number in ((tokenizer.bos_token, tokenizer.bos_token_id), (tokenizer.eos_token, tokenizer.eos_token_id)):
        if number is not None:
            return token, [number]
    return "", []
