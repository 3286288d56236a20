"""Passages and questions as NAQANet reads them: tokens, what is seen in their place, numbers, labels."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from numprobe.drop.changes import Augmentation, Change, drawn, inside
from numprobe.drop.data import Passage, Question
from numprobe.drop.naqanet.labels import NO_LABELS, Labels, Searched, label
from numprobe.drop.naqanet.tokens import Tokens, tokenize
from numprobe.drop.quantities import token_value
from numprobe.drop.question_types import question_types


@dataclass(frozen=True)
class Limits:
    """How many tokens are read of a passage and of a question."""

    passage: int
    question: int


TRAINING, EVALUATION = Limits(400, 50), Limits(1000, 100)


@dataclass(frozen=True)
class Asked:
    """A question about a passage; without labels where it is only to be answered."""

    id: str
    tokens: Tokens
    labels: Labels = NO_LABELS


@dataclass(frozen=True)
class Reading:
    """A passage and some of its questions."""

    tokens: Tokens
    seen: tuple[str, ...]
    """The words that the model sees; they differ from the text where a number is changed inside the model."""
    numbers: tuple[tuple[int, int], ...]
    """The tokens that are numbers, each with its value in the text."""
    questions: tuple[Asked, ...]


def to_answer(passages: Iterable[Passage], change: Change | None = None, seed: int = 0) -> Iterator[Reading]:
    """All questions without labels; a change is what the model sees of the numbers."""
    for passage in passages:
        questions = tuple(Asked(q.id, tokenize(q.text).first(EVALUATION.question)) for q in passage.questions)
        reading = _read(passage, EVALUATION.passage, questions)
        yield reading if change is None else _changed(reading, change, seed, passage.id)


def to_learn(passages: Iterable[Passage], augment: bool = False, seed: int = 0) -> Iterator[Reading]:
    """The questions that have a label; with copies of comparative and superlative ones where numbers look changed."""
    for passage in passages:
        reading = _read(passage, TRAINING.passage)
        searched = Searched(reading.tokens.words, [value for _, value in reading.numbers])
        labelled = {question: _labelled(question, searched) for question in passage.questions}
        asked = {question: found for question, found in labelled.items() if found.labels}
        if asked:
            yield replace(reading, questions=tuple(asked.values()))
        copied = tuple(found for question, found in asked.items() if question_types(question))
        if augment and copied:
            yield _changed(replace(reading, questions=copied), Augmentation(), seed, passage.id)


def _labelled(question: Question, passage: Searched) -> Asked:
    tokens = tokenize(question.text).first(TRAINING.question)
    return Asked(question.id, tokens, label(question.answer, passage, Searched(tokens.words)))


def _read(passage: Passage, most: int, questions: tuple[Asked, ...] = ()) -> Reading:
    tokens = tokenize(passage.text).first(most)
    values = ((place, token_value(word)) for place, word in enumerate(tokens.words))
    numbers = tuple((place, value) for place, value in values if value is not None)
    return Reading(tokens, tokens.words, numbers, questions)


def _changed(reading: Reading, change: Change, seed: int, passage_id: str) -> Reading:
    new = inside(drawn(change, seed, passage_id), reading.tokens.text, reading.tokens.places)
    return replace(reading, seen=tuple(n or old for n, old in zip(new, reading.tokens.words, strict=True)))
