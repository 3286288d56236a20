"""Passages and questions as NAQANet reads them: tokens, the words that it sees in their place, numbers, labels."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from numprobe.drop.changes import AUGMENTATION, Change, seen_tokens
from numprobe.drop.data import Passage
from numprobe.drop.naqanet.labels import NO_LABELS, Labels, label, normalised
from numprobe.drop.naqanet.vocabulary import Tokens, tokenize
from numprobe.drop.quantities import token_value
from numprobe.drop.question_types import question_types

TRAINING_PASSAGE, TRAINING_QUESTION = 400, 50
ANSWERING_PASSAGE, ANSWERING_QUESTION = 1000, 100
"""The most tokens that are read."""


@dataclass(frozen=True)
class TokenizedQuestion:
    """A question about a passage; it has labels in training only."""

    id: str
    tokens: Tokens
    labels: Labels = NO_LABELS


@dataclass(frozen=True)
class TokenizedPassage:
    """A passage and some of its questions."""

    tokens: Tokens
    seen: tuple[str, ...]
    """The words that the model sees; they differ from the text if numbers are changed inside the model."""
    numbers: tuple[tuple[int, int], ...]
    """The tokens that are numbers, each with its value in the text."""
    questions: tuple[TokenizedQuestion, ...]


def to_answer(passages: Iterable[Passage], change: Change | None = None, seed: int = 0) -> Iterator[TokenizedPassage]:
    """All questions, without labels; a change affects only the numbers that the model sees."""
    for passage in passages:
        if not passage.questions:
            continue
        questions = tuple(
            TokenizedQuestion(q.id, tokenize(q.text).first(ANSWERING_QUESTION)) for q in passage.questions
        )
        reading = _read(passage, ANSWERING_PASSAGE, questions)
        yield reading if change is None else _changed(reading, change, seed, passage.id)


def to_learn(passages: Iterable[Passage], augment: bool = False, seed: int = 0) -> Iterator[TokenizedPassage]:
    """The questions with a label; `augment` adds copies of comparative and superlative ones with changed numbers."""
    for passage in passages:
        reading = _read(passage, TRAINING_PASSAGE)
        words, values = normalised(reading.tokens.words), [value for _, value in reading.numbers]
        asked = {}
        for question in passage.questions:
            tokens = tokenize(question.text).first(TRAINING_QUESTION)
            labels = label(question.answer, words, values, normalised(tokens.words))
            if labels:
                asked[question] = TokenizedQuestion(question.id, tokens, labels)
        if asked:
            yield replace(reading, questions=tuple(asked.values()))
        copied = tuple(found for question, found in asked.items() if question_types(question))
        if augment and copied:
            yield _changed(replace(reading, questions=copied), AUGMENTATION, seed, passage.id)


def count_words(readings: Iterable[TokenizedPassage]) -> Counter[str]:
    """How often each word is read; a passage is read once for each of its questions."""
    counts: Counter[str] = Counter()
    for reading in readings:
        for word, count in Counter(reading.seen).items():
            counts[word] += count * len(reading.questions)
        for question in reading.questions:
            counts.update(question.tokens.words)
    return counts


def _read(passage: Passage, most: int, questions: tuple[TokenizedQuestion, ...] = ()) -> TokenizedPassage:
    tokens = tokenize(passage.text).first(most)
    values = ((place, token_value(word)) for place, word in enumerate(tokens.words))
    numbers = tuple((place, value) for place, value in values if value is not None)
    return TokenizedPassage(tokens, tokens.words, numbers, questions)


def _changed(reading: TokenizedPassage, change: Change, seed: int, passage_id: str) -> TokenizedPassage:
    return replace(reading, seen=seen_tokens(change.draw(seed, passage_id), reading.tokens.words))
