"""Passages and questions as NAQANet reads them: tokens, the words that it sees in their place, numbers, labels."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from numprobe.drop.changes import AUGMENTATION, Change, seen_tokens
from numprobe.drop.data import Passage
from numprobe.drop.mirrors import mirrored
from numprobe.drop.naqanet.labels import Labels, label, normalised
from numprobe.drop.naqanet.vocabulary import Tokens, tokenize
from numprobe.drop.quantities import Amount, token_value, wide_values
from numprobe.drop.question_types import question_types

TRAINING_PASSAGE, TRAINING_QUESTION = 400, 50
ANSWERING_PASSAGE, ANSWERING_QUESTION = 1000, 100
"""The most tokens that are read."""
WHOLE = 100
"""The shares of a whole add up to this."""


@dataclass(frozen=True)
class TokenizedQuestion:
    """A question about a passage; it has labels in training only."""

    id: str
    tokens: Tokens
    labels: Labels = field(default_factory=Labels)


@dataclass(frozen=True)
class TokenizedPassage:
    """A passage and some of its questions."""

    tokens: Tokens
    shown: Tokens
    """What the model sees; it differs from the text if numbers are changed inside the model."""
    numbers: tuple[tuple[int, Amount], ...]
    """The tokens that are numbers, each with its value in the text."""
    questions: tuple[TokenizedQuestion, ...] = ()
    wide: bool = False
    """Whether the numbers are those of `wide_values`, and sums may use 100 as well."""
    swapped: bool = False
    """Whether unchanged words keep the states that a pretrained encoder gives them in the original text."""

    @property
    def seen(self) -> tuple[str, ...]:
        """The words that the model sees."""
        return self.shown.words

    @property
    def values(self) -> tuple[Amount, ...]:
        """What a sum may add and subtract."""
        return (*((WHOLE,) if self.wide else ()), *(value for _, value in self.numbers))


def to_answer(
    passages: Iterable[Passage], change: Change | None = None, seed: int = 0, wide: bool = False
) -> Iterator[TokenizedPassage]:
    """All questions, without labels; a change affects only the numbers that the model sees."""
    for passage in passages:
        if not passage.questions:
            continue
        questions = tuple(TokenizedQuestion(q.id, tokenize(q.text, ANSWERING_QUESTION)) for q in passage.questions)
        reading = replace(_read(passage, ANSWERING_PASSAGE, wide), questions=questions)
        yield reading if change is None else _changed(reading, change, seed, passage.id)


def to_learn(
    passages: Iterable[Passage], augment: bool = False, seed: int = 0, wide: bool = False, mirror: bool = False
) -> Iterator[TokenizedPassage]:
    """The questions with a label.

    `mirror` adds mirrored copies of two-way comparisons, and `augment` copies of comparative and superlative questions
    with changed numbers.
    """
    for passage in passages:
        reading = _read(passage, TRAINING_PASSAGE, wide)
        words = normalised(reading.tokens.words)
        asked = {}
        copies = (copy for question in passage.questions for copy in mirrored(question)) if mirror else ()
        for question in (*passage.questions, *copies):
            tokens = tokenize(question.text, TRAINING_QUESTION)
            labels = label(question.answer, words, reading.values, normalised(tokens.words), wide)
            if labels != Labels():
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


def _read(passage: Passage, most: int, wide: bool) -> TokenizedPassage:
    tokens = tokenize(passage.text, most)
    values = wide_values(tokens.words) if wide else map(token_value, tokens.words)
    numbers = tuple((place, value) for place, value in enumerate(values) if value is not None)
    return TokenizedPassage(tokens, tokens, numbers, wide=wide)


def _changed(reading: TokenizedPassage, change: Change, seed: int, passage_id: str) -> TokenizedPassage:
    words, values = reading.tokens.words, dict(reading.numbers)
    seen = seen_tokens(change.draw(seed, passage_id), words, map(values.get, range(len(words))))
    return replace(reading, shown=reading.tokens.replaced(seen))
