"""Any causal language model as a black box: it continues a prompt, greedily, to the end of the line.

Each part of the prompt starts with its line breaks, so most tokenizers split the parts as they would split the whole
prompt. What the model computed for the examples and the passage is then reused for every question that follows.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from numprobe.drop.data import Passage
from numprobe.embedders.sources import resolve
from numprobe.embedders.speech.writing import load_writer
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
        writer = load_writer(resolve(self.model), self.gguf, self.commit, self.trust_remote_code == "yes")

        def pieces(text: str) -> list[int]:
            found: list[int] = writer.tokenizer(text, add_special_tokens=False, verbose=False).input_ids
            return found

        start = writer.tokenizer.bos_token_id
        begins = [start] if start is not None and start in writer.tokenizer("").input_ids else []
        examples = begins + pieces(examples_part())
        texts = [pieces(passage_part(passage.text)) for passage in passages]
        asked = [[pieces(question_part(question.text)) for question in each.questions] for each in passages]
        longest = 0
        for passage, text, questions in zip(passages, texts, asked, strict=True):
            needed = len(examples) + len(text) + max(map(len, questions), default=0) + ANSWER_PIECES
            longest = max(longest, needed)
            if needed > writer.longest:
                raise NumprobeError(
                    f"passage {passage.id!r} needs {needed:,} word pieces with examples, question and answer, but "
                    f"{self.model} reads only {writer.longest:,.0f}: leave the passage out"
                )
        together = TOGETHER if writer.can_pad(longest) else 1
        after_examples = writer.read(examples)
        for passage, text, questions in zip(passages, texts, asked, strict=True):
            after_passage = writer.read(text, copy.deepcopy(after_examples))
            for first in range(0, len(questions), together):
                some = slice(first, first + together)
                written = writer.go_on(writer.begin(questions[some], copy.deepcopy(after_passage)), ANSWER_PIECES)
                for question, own in zip(passage.questions[some], written, strict=True):
                    yield question.id, writer.line(own)[0]
