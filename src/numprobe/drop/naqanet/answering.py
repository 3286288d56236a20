"""The answers of a trained NAQANet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from numprobe.drop.changes import Change
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.decoding import NAQANetAnswer, by_all_ways, by_type
from numprobe.drop.naqanet.model import NAQANet, Outputs
from numprobe.drop.naqanet.reading import TokenizedPassage, TokenizedQuestion, to_answer
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.errors import NumprobeError

BATCH_QUESTIONS, BATCH_TOKENS = 64, 16_000


@dataclass(frozen=True)
class ExplainedAnswer:
    """An answer, and the attention to each word of the passage and of the question."""

    prediction: NAQANetAnswer
    passage: tuple[tuple[str, float], ...]
    question: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class NAQANetReader:
    """A network with everything it needs to read text."""

    network: NAQANet
    alphabet: Alphabet
    words: WordInput
    about: dict[str, Any] = field(default_factory=dict)
    """What the file of a trained model says about it."""

    @property
    def device(self) -> torch.device:
        return next(self.network.parameters()).device

    def answer_passages(
        self, passages: Iterable[Passage], change: Change | None = None, seed: int = 0, swapped: bool = False
    ) -> dict[str, str]:
        """Answers by query id. A change affects only the numbers that the model sees: answers quote the text.

        If `swapped`, the words around a changed number keep the states that a pretrained encoder gives them in the
        original text.
        """
        read = self._read(passages, change, seed, swapped)
        return {question.id: self._answer(reading, question, outputs).text for reading, question, outputs in read}

    def answer_question(self, passage: str, question: str) -> ExplainedAnswer:
        """Answer one question about a text."""
        for what, text in (("passage", passage), ("question", question)):
            if not text.strip():
                raise NumprobeError(f"the {what} is empty")
        asked = Question("asked", question, GoldAnswer())
        ((reading, read, outputs),) = self._read([Passage("passage", passage, (asked,))])
        return ExplainedAnswer(
            self._answer(reading, read, outputs),
            tuple(zip(reading.tokens.words, outputs.passage_weights.tolist(), strict=True)),
            tuple(zip(read.tokens.words, outputs.question_weights.tolist(), strict=True)),
        )

    def _answer(self, reading: TokenizedPassage, question: TokenizedQuestion, outputs: Outputs) -> NAQANetAnswer:
        return (by_all_ways if self.network.sizes.wide else by_type)(reading, question, outputs)

    def _read(
        self, passages: Iterable[Passage], change: Change | None = None, seed: int = 0, swapped: bool = False
    ) -> Iterator[tuple[TokenizedPassage, TokenizedQuestion, Outputs]]:
        """Yield each question with its outputs, on the CPU."""
        self.network.eval()
        found = to_answer(passages, change, seed, self.network.sizes.wide)
        readings = [replace(reading, swapped=swapped) for reading in found]
        self.words.add(readings)
        for part in plan(readings, BATCH_QUESTIONS, BATCH_TOKENS, together=BATCH_QUESTIONS):
            with torch.inference_mode():
                outputs = self.network(collate(part, self.alphabet, self.words).to(self.device))
            rows = ((reading, question) for reading in part for question in reading.questions)
            for (reading, question), *row in zip(rows, *(output.cpu() for output in outputs), strict=True):
                yield reading, question, Outputs(*row)
