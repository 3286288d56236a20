"""The answers of a trained NAQANet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from numprobe.drop.changes import Change
from numprobe.drop.data import Answer, Passage, Question
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.model import ANSWER_TYPES, NAQANet, Outputs
from numprobe.drop.naqanet.reading import Asked, Reading, to_answer
from numprobe.drop.naqanet.vocabulary import Alphabet, WordVectors
from numprobe.errors import NumprobeError

BATCH_QUESTIONS, BATCH_TOKENS = 64, 16_000


@dataclass(frozen=True)
class Reader:
    """A network with all that it needs to read."""

    network: NAQANet
    alphabet: Alphabet
    vectors: WordVectors

    @property
    def device(self) -> torch.device:
        return next(self.network.parameters()).device


@dataclass(frozen=True)
class Prediction:
    text: str
    type: str
    """One of `ANSWER_TYPES`."""
    probability: float
    """Of the type."""
    terms: tuple[int, ...] = ()
    """Of a sum: the passage's numbers that were used, with their signs."""


@dataclass(frozen=True)
class Explained:
    """An answer, and how much each word of the passage and of the question counted."""

    prediction: Prediction
    passage: tuple[tuple[str, float], ...]
    question: tuple[tuple[str, float], ...]


def predict(
    reader: Reader, passages: Iterable[Passage], change: Change | None = None, seed: int = 0
) -> dict[str, Prediction]:
    """The answers by query id; with a change the model sees other numbers, and the passage's own are its answers."""
    readings = [reading for reading in to_answer(passages, change, seed) if reading.questions]
    reader.vectors.read(readings)
    return dict(answered(reader, readings))


def ask(reader: Reader, passage: str, question: str) -> Explained:
    """The answer to one question about a text."""
    for what, text in (("passage", passage), ("question", question)):
        if not text.strip():
            raise NumprobeError(f"the {what} is empty")
    # Nobody has annotated it, and nobody looks at the annotation.
    asked = Question("asked", question, Answer(spans=("?",)))
    readings = list(to_answer([Passage("passage", passage, (asked,))]))
    reader.vectors.read(readings)
    ((reading, read, outputs),) = _read(reader, readings)
    return Explained(
        _prediction(reading, read, outputs),
        tuple(zip(reading.tokens.words, outputs.passage_weights.tolist(), strict=True)),
        tuple(zip(read.tokens.words, outputs.question_weights.tolist(), strict=True)),
    )


def answered(reader: Reader, readings: Sequence[Reading]) -> Iterator[tuple[str, Prediction]]:
    """Query ids and answers."""
    for reading, question, outputs in _read(reader, readings):
        yield question.id, _prediction(reading, question, outputs)


def _read(reader: Reader, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Asked, Outputs]]:
    """Each question with its own outputs, on the CPU; passages of similar length are read together."""
    reader.network.eval()
    for part in plan(readings, BATCH_QUESTIONS, BATCH_TOKENS, together=BATCH_QUESTIONS):
        with torch.inference_mode():
            outputs = reader.network(collate(part, reader.alphabet, reader.vectors).to(reader.device))
        columns = [getattr(outputs, each.name).cpu() for each in fields(outputs)]
        rows = ((reading, question) for reading in part for question in reading.questions)
        for (reading, question), *row in zip(rows, *columns, strict=True):
            yield reading, question, Outputs(*row)


def _prediction(reading: Reading, question: Asked, outputs: Outputs) -> Prediction:
    """The best answer of the most probable type."""
    kind = ANSWER_TYPES[int(outputs.type.argmax())]
    terms: tuple[int, ...] = ()
    if kind == "passage span":
        text = reading.tokens.between(*_best_span(outputs.passage_start, outputs.passage_end))
    elif kind == "question span":
        text = question.tokens.between(*_best_span(outputs.question_start, outputs.question_end))
    elif kind == "count":
        text = str(int(outputs.count.argmax()))
    else:
        signs = outputs.signs.argmax(-1).tolist()
        terms = tuple(
            (0, 1, -1)[sign] * value for (_, value), sign in zip(reading.numbers, signs, strict=False) if sign
        )
        text = str(sum(terms))
    return Prediction(text, kind, float(outputs.type.exp().max()), terms)


def _best_span(start: Tensor, end: Tensor) -> tuple[int, int]:
    """The most probable span that does not end before it starts."""
    best, starts = start.cummax(dim=0)
    last = int((best + end).argmax())
    return int(starts[last]), last
