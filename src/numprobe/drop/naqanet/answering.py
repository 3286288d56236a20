"""The answers of a trained NAQANet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from numprobe.drop.changes import Change
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.model import ANSWER_HEADS, NAQANet, Outputs
from numprobe.drop.naqanet.reading import TokenizedPassage, TokenizedQuestion, count_words, to_answer
from numprobe.drop.naqanet.vocabulary import Alphabet, FixedVectors
from numprobe.errors import NumprobeError

BATCH_QUESTIONS, BATCH_TOKENS = 64, 16_000


@dataclass(frozen=True)
class NAQANetReader:
    """A network with everything it needs to read text."""

    network: NAQANet
    alphabet: Alphabet
    vectors: FixedVectors
    about: dict[str, Any] = field(default_factory=dict)
    """What the file of a trained model says about it."""

    @property
    def device(self) -> torch.device:
        return next(self.network.parameters()).device


@dataclass(frozen=True)
class NAQANetAnswer:
    text: str
    type: str
    """One of `ANSWER_HEADS`."""
    probability: float
    """Of the type."""
    terms: tuple[int, ...] = ()
    """The numbers in a sum, with their signs."""


@dataclass(frozen=True)
class ExplainedAnswer:
    """An answer, and the attention to each word of the passage and of the question."""

    prediction: NAQANetAnswer
    passage: tuple[tuple[str, float], ...]
    question: tuple[tuple[str, float], ...]


def answer_passages(
    reader: NAQANetReader, passages: Iterable[Passage], change: Change | None = None, seed: int = 0
) -> dict[str, str]:
    """Answers by query id. A change affects only the numbers that the model sees: answers quote the original text."""
    read = _read(reader, list(to_answer(passages, change, seed)))
    return {question.id: _answer(reading, question, outputs).text for reading, question, outputs in read}


def answer_question(reader: NAQANetReader, passage: str, question: str) -> ExplainedAnswer:
    """Answer one question about a text."""
    for what, text in (("passage", passage), ("question", question)):
        if not text.strip():
            raise NumprobeError(f"the {what} is empty")
    asked = Question("asked", question, GoldAnswer())
    ((reading, read, outputs),) = _read(reader, list(to_answer([Passage("passage", passage, (asked,))])))
    return ExplainedAnswer(
        _answer(reading, read, outputs),
        tuple(zip(reading.tokens.words, outputs.passage_weights.tolist(), strict=True)),
        tuple(zip(read.tokens.words, outputs.question_weights.tolist(), strict=True)),
    )


def _read(
    reader: NAQANetReader, readings: Sequence[TokenizedPassage]
) -> Iterator[tuple[TokenizedPassage, TokenizedQuestion, Outputs]]:
    """Yield each question with its outputs, on the CPU."""
    reader.network.eval()
    reader.vectors.add(count_words(readings))
    for part in plan(readings, BATCH_QUESTIONS, BATCH_TOKENS, together=BATCH_QUESTIONS):
        with torch.inference_mode():
            outputs = reader.network(collate(part, reader.alphabet, reader.vectors).to(reader.device))
        rows = ((reading, question) for reading in part for question in reading.questions)
        for (reading, question), *row in zip(rows, *(output.cpu() for output in outputs), strict=True):
            yield reading, question, Outputs(*row)


def _answer(reading: TokenizedPassage, question: TokenizedQuestion, outputs: Outputs) -> NAQANetAnswer:
    """The most probable answer of the most probable type."""
    kind = ANSWER_HEADS[int(outputs.type.argmax())]
    terms: tuple[int, ...] = ()
    if kind == "passage span":
        text = reading.tokens.between(*_best_span(outputs.passage_start, outputs.passage_end))
    elif kind == "question span":
        text = question.tokens.between(*_best_span(outputs.question_start, outputs.question_end))
    elif kind == "count":
        text = str(int(outputs.counts.argmax()))
    else:
        signs = outputs.signs.argmax(-1).tolist()
        terms = tuple(
            (0, 1, -1)[sign] * value for (_, value), sign in zip(reading.numbers, signs, strict=False) if sign
        )
        text = str(sum(terms))
    return NAQANetAnswer(text, kind, float(outputs.type.exp().max()), terms)


def _best_span(start: Tensor, end: Tensor) -> tuple[int, int]:
    """The most probable span whose end does not precede its start."""
    best, starts = start.cummax(dim=0)
    last = int((best + end).argmax())
    return int(starts[last]), last
