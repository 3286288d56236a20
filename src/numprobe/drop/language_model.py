"""Any causal language model as a black box: it continues a prompt, greedily, to the end of the line.

Each part of the prompt starts with its line breaks, so most tokenizers split the parts as they would split the whole
prompt. What the model computed for the examples and the passage is then reused for every question that follows.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from numprobe.drop.data import Passage
from numprobe.embedders.pretrained import TOKENIZER, load_pretrained
from numprobe.embedders.sources import resolve
from numprobe.errors import NumprobeError, one_of

ANSWER_PIECES = 16
"""The most word pieces in an answer."""
TOGETHER = 8
"""Questions about a passage that are answered at once; each needs a copy of the model's cache of the passage."""


def examples_part() -> str:
    """Answered comparative and superlative questions, with which every prompt starts."""
    return (files("numprobe.drop") / "examples.txt").read_text(encoding="utf-8").rstrip("\n")


def passage_part(text: str) -> str:
    return f"\n\nPassage: {' '.join(text.split())}"


def question_part(text: str) -> str:
    """What comes before an answer.

    >>> question_part("Who won?")
    '\\nQuestion: Who won?\\nAnswer:'
    """
    return f"\nQuestion: {' '.join(text.split())}\nAnswer:"


@dataclass(frozen=True)
class LanguageModel:
    """A causal language model: a folder with safetensors or GGUF weights, or a hub id."""

    model: str
    gguf: str = ""
    """The GGUF file in the folder, if the weights are in one."""
    commit: str = ""
    """The revision of a hub model."""
    trust_remote_code: str = "no"

    def __post_init__(self) -> None:
        one_of("trust_remote_code", self.trust_remote_code, ("no", "yes"))

    def answer(self, passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
        """Yield (query id, answer), passage by passage; raise before the first answer if any passage is too long."""
        writer = _load(resolve(self.model), self.gguf, self.commit, self.trust_remote_code == "yes")
        examples = writer.beginning + writer.pieces(examples_part())
        texts = [writer.pieces(passage_part(passage.text)) for passage in passages]
        asked = [[writer.pieces(question_part(question.text)) for question in each.questions] for each in passages]
        most = getattr(writer.model.config, "max_position_embeddings", None)
        for passage, text, questions in zip(passages, texts, asked, strict=True):
            needed = len(examples) + len(text) + max(map(len, questions), default=0) + ANSWER_PIECES
            if most and needed > most:
                raise NumprobeError(
                    f"passage {passage.id!r} needs {needed:,} word pieces with examples, question and answer, but "
                    f"{self.model} reads only {most:,}: leave the passage out"
                )
        after_examples = writer.read(examples)
        for passage, text, questions in zip(passages, texts, asked, strict=True):
            after_passage = writer.read(text, after_examples)
            for first in range(0, len(questions), TOGETHER):
                some = slice(first, first + TOGETHER)
                ids = (question.id for question in passage.questions[some])
                yield from zip(ids, writer.answers(questions[some], after_passage), strict=True)


@dataclass(frozen=True)
class _Writer:
    model: Any
    tokenizer: Any

    @property
    def beginning(self) -> list[int]:
        """The piece that the model expects before any text, if any."""
        begin = self.tokenizer.bos_token_id
        return [begin] if begin is not None and begin in self.tokenizer("").input_ids else []

    def pieces(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids
        return found

    def read(self, pieces: list[int], past: Any = None) -> Any:
        """The model's cache (keys and values) after reading more text; `past` itself is not changed."""
        import torch

        with torch.inference_mode():
            read = self.model.base_model(
                input_ids=torch.tensor([pieces]), past_key_values=copy.deepcopy(past), use_cache=True
            )
        return read.past_key_values

    def answers(self, questions: Sequence[list[int]], past: Any) -> list[str]:
        """Answer questions about the text in the cache, as one batch padded on the left."""
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
        """The first line of the output, and whether it is complete."""
        special = set(self.tokenizer.all_special_ids)
        kept = list(takewhile(lambda piece: piece not in special, pieces))
        line, newline, _ = self.tokenizer.decode(kept).partition("\n")
        return line.strip(), bool(newline) or len(kept) < len(pieces)


@lru_cache(maxsize=1)
def _load(source: str, gguf: str, commit: str, trust: bool) -> _Writer:
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    model = load_pretrained("AutoModelForCausalLM", source, gguf, commit, trust)
    # An encoder would load too, with a head of random weights; GGUF files don't name an architecture.
    saved = model.config.architectures or [type(model).__name__]
    if not saved[0].endswith(("ForCausalLM", "LMHeadModel")):
        raise NumprobeError(f"{source} holds {saved[0]}, which is not a causal language model")
    return _Writer(model, tokenizer)
