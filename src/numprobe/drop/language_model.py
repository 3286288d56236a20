"""Any causal language model as a black box: it goes on with a prompt, greedily, to the end of the line."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

from numprobe.drop.data import Passage
from numprobe.drop.prompt import examples_part, passage_part, question_part
from numprobe.embedders.pretrained import TOKENIZER, load_pretrained
from numprobe.embedders.sources.given import resolve
from numprobe.errors import NumprobeError, one_of

ANSWER_PIECES = 16
"""Word pieces that an answer may have."""
TOGETHER = 8
"""Questions of a passage that are answered at once; each needs a copy of what the model keeps of the passage."""


@dataclass(frozen=True)
class LanguageModel:
    """A causal language model: a folder with safetensors or GGUF, or a hub id."""

    model: str
    gguf: str = ""
    """The GGUF file in the folder, where the weights are in one."""
    commit: str = ""
    """The revision of a hub model."""
    trust_remote_code: str = "no"

    def __post_init__(self) -> None:
        one_of("trust_remote_code", self.trust_remote_code, ("no", "yes"))

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
        """(query id, answer), passage by passage. A passage that is too long is refused before anything is answered."""
        writer = _load(resolve(self.model), self.gguf, self.commit, self.trust_remote_code == "yes")
        examples = writer.beginning + writer.pieces(examples_part())
        parts = [_Parts.make(passage, writer) for passage in passages]
        for part in parts:
            self._refuse_too_long(len(examples) + part.longest + ANSWER_PIECES, writer, part.passage)
        after_examples = writer.read(examples)
        for part in parts:
            after_passage = writer.read(part.text, after_examples)
            for first in range(0, len(part.questions), TOGETHER):
                some = slice(first, first + TOGETHER)
                answers = writer.answers(part.questions[some], after_passage)
                yield from zip((question.id for question in part.passage.questions[some]), answers, strict=True)

    def _refuse_too_long(self, needed: int, writer: "_Writer", passage: Passage) -> None:
        most = getattr(writer.model.config, "max_position_embeddings", None)
        if most and needed > most:
            raise NumprobeError(
                f"passage {passage.id!r} needs {needed:,} word pieces with examples, question and answer, and "
                f"{self.model} reads {most:,}: leave the passage out"
            )


@dataclass(frozen=True)
class _Parts:
    """The word pieces of a passage and of its questions."""

    passage: Passage
    text: list[int]
    questions: list[list[int]]

    @classmethod
    def make(cls, passage: Passage, writer: "_Writer") -> "_Parts":
        questions = [writer.pieces(question_part(question.text)) for question in passage.questions]
        return cls(passage, writer.pieces(passage_part(passage.text)), questions)

    @property
    def longest(self) -> int:
        return len(self.text) + max(map(len, self.questions), default=0)


@dataclass(frozen=True)
class _Writer:
    model: Any
    tokenizer: Any

    @property
    def beginning(self) -> list[int]:
        """What the model expects before any text."""
        begin = self.tokenizer.bos_token_id
        return [begin] if begin is not None and begin in self.tokenizer("").input_ids else []

    def pieces(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids
        return found

    def read(self, pieces: list[int], past: Any = None) -> Any:
        """What the model keeps (keys and values) after more text; `past` serves again for another."""
        import torch

        with torch.inference_mode():
            read = self.model.base_model(
                input_ids=torch.tensor([pieces]), past_key_values=copy.deepcopy(past), use_cache=True
            )
        return read.past_key_values

    def answers(self, questions: Sequence[list[int]], past: Any) -> list[str]:
        """The answers to questions about what was read, one row each. Questions are padded on the left."""
        import torch

        known, longest = past.get_seq_length(), max(map(len, questions))
        past = copy.deepcopy(past)
        past.batch_repeat_interleave(len(questions))
        pieces = torch.tensor([[0] * (longest - len(question)) + question for question in questions])
        seen = torch.tensor([[0] * (longest - len(question)) + [1] * len(question) for question in questions])
        places = known + (seen.cumsum(1) - 1).clamp(min=0)
        seen = torch.cat([seen.new_ones(len(questions), known), seen], dim=1)
        written = pieces[:, :0]
        with torch.inference_mode():
            for _ in range(ANSWER_PIECES):
                step = self.model(
                    input_ids=pieces, attention_mask=seen, position_ids=places, past_key_values=past, use_cache=True
                )
                pieces = step.logits[:, -1].argmax(dim=1, keepdim=True)
                written = torch.cat([written, pieces], dim=1)
                lines = [self._line(row) for row in written.tolist()]
                if all(is_whole for _, is_whole in lines):
                    break
                seen = torch.cat([seen, torch.ones_like(pieces)], dim=1)
                places = places[:, -1:] + 1
        return [line for line, _ in lines]

    def _line(self, pieces: list[int]) -> tuple[str, bool]:
        """The first line of what was written, and whether it has ended."""
        special = set(self.tokenizer.all_special_ids)
        kept = list(takewhile(lambda piece: piece not in special, pieces))
        line, newline, _ = self.tokenizer.decode(kept).partition("\n")
        return line.strip(), bool(newline) or len(kept) < len(pieces)


@lru_cache(maxsize=1)
def _load(source: str, gguf: str, commit: str, trust: bool) -> _Writer:
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    model = load_pretrained("AutoModelForCausalLM", source, gguf, commit, trust)
    # An encoder loads too, with a head of random weights; GGUF doesn't say what was saved.
    saved = model.config.architectures or [type(model).__name__]
    if not saved[0].endswith(("ForCausalLM", "LMHeadModel")):
        raise NumprobeError(f"{source} holds no causal language model but {saved[0]}")
    return _Writer(model, tokenizer)
