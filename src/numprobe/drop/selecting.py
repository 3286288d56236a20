"""Some of the questions; a passage without any of them is left out."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from numprobe.drop.data import Passage, Question
from numprobe.drop.question_types import QUESTION_TYPES, question_types
from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.numbers import generator


def keep(passages: Sequence[Passage], is_wanted: Callable[[Question], bool]) -> tuple[Passage, ...]:
    """The passages with only the questions that are wanted."""
    kept = (replace(passage, questions=tuple(filter(is_wanted, passage.questions))) for passage in passages)
    return tuple(passage for passage in kept if passage.questions)


def count(passages: Sequence[Passage]) -> int:
    """Questions in all."""
    return sum(len(passage.questions) for passage in passages)


def of_types(passages: Sequence[Passage], types: Collection[str]) -> tuple[Passage, ...]:
    """The questions of any of these types."""
    for name in types:
        one_of("question type", name, QUESTION_TYPES)
    kept = keep(passages, lambda question: not set(types).isdisjoint(question_types(question)))
    if not kept:
        raise NumprobeError(f"no question is {' or '.join(types)}")
    return kept


def sampled(passages: Sequence[Passage], most: int, seed: int) -> tuple[Passage, ...]:
    """At most so many questions, drawn at random; they keep their order."""
    at_least(1, most=most)
    at_least(0, seed=seed)
    ids = [question.id for passage in passages for question in passage.questions]
    chosen = {ids[place] for place in generator(seed, "sample").permutation(len(ids))[:most].tolist()}
    return keep(passages, lambda question: question.id in chosen)
