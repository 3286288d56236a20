"""DROP's passages, questions and answers, and how to choose some of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import generator

MOST_SPANS = 200
"""Spans in one answer: aligning the spans of two answers takes time cubic in their number."""


@dataclass(frozen=True)
class GoldAnswer:
    """One annotation of a question; exactly one of the three fields is not empty."""

    number: str = ""
    spans: tuple[str, ...] = ()
    date: tuple[str, str, str] = ("", "", "")
    """Day, month, year; some may be empty."""


@dataclass(frozen=True)
class Floors:
    """The chances, from 0 to 1, of readers who find the facts that a generated question is about but can't compare."""

    guess: float
    """Of one that picks any of these facts."""
    digits: float
    """Of one that sees the number of digits and the first digit only."""


@dataclass(frozen=True)
class Question:
    id: str
    text: str
    answer: GoldAnswer
    validated: tuple[GoldAnswer, ...] = ()
    """Further annotations of the same question."""
    floors: Floors | None = None
    """Of a generated question that compares numbers."""


@dataclass(frozen=True)
class Passage:
    id: str
    text: str
    questions: tuple[Question, ...]


def all_questions(passages: Sequence[Passage]) -> list[Question]:
    return [question for passage in passages for question in passage.questions]


def count_questions(passages: Sequence[Passage]) -> int:
    return len(all_questions(passages))


def keep_questions(passages: Sequence[Passage], is_wanted: Callable[[Question], bool]) -> tuple[Passage, ...]:
    """The passages with only the wanted questions; a passage without any is left out."""
    kept = (replace(passage, questions=tuple(filter(is_wanted, passage.questions))) for passage in passages)
    return tuple(passage for passage in kept if passage.questions)


def sample_questions(passages: Sequence[Passage], most: int, seed: int) -> tuple[Passage, ...]:
    """At most this many questions, drawn at random, in their original order."""
    at_least(1, most=most)
    at_least(0, seed=seed)
    ids = [question.id for question in all_questions(passages)]
    chosen = {ids[place] for place in generator(seed, "sample").permutation(len(ids))[:most].tolist()}
    return keep_questions(passages, lambda question: question.id in chosen)


def split_passages(
    passages: Sequence[Passage], share: float, seed: int
) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """Two parts, the first with this share of the passages, both in the original order."""
    at_least(0, seed=seed)
    if not 0 < share < 1:
        raise NumprobeError(f"share must lie between 0 and 1, not {share}")
    count = round(share * len(passages))
    if count in (0, len(passages)):
        raise NumprobeError(f"can't split {len(passages)} passages with share {share}: one part would be empty")
    first = set(generator(seed, "split").permutation(len(passages))[:count].tolist())
    return (
        tuple(passage for place, passage in enumerate(passages) if place in first),
        tuple(passage for place, passage in enumerate(passages) if place not in first),
    )
