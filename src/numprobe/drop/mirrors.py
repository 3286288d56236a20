"""Mirrored copies of two-way comparisons: the opposite question has the other answer."""

import re
from collections.abc import Iterator
from dataclasses import replace

from numprobe.drop.data import GoldAnswer, Question
from numprobe.drop.question_types import COMPARATIVES, question_types

_OPPOSITES = {
    "larger": "smaller",
    "bigger": "smaller",
    "greater": "smaller",
    "smaller": "larger",
    "longer": "shorter",
    "shorter": "longer",
}
_COMPARATIVE = re.compile(rf"\b({'|'.join(sorted(COMPARATIVES))})\b")
_CHOICES = re.compile(r"(?P<before>.*[:,] )(?P<choices>.* or .*?)(?P<after> ?\??)")


def mirrored(question: Question) -> Iterator[Question]:
    """The same comparison with its choices swapped, with the opposite word and the other answer, and with both.

    There are none unless the question ends with its two choices and its answer is one of them.

    >>> asked = Question("1", "Which group is larger: families or people?", GoldAnswer(spans=("people",)))
    >>> for copy in mirrored(asked):
    ...     print(copy.text, *copy.answer.spans)
    Which group is larger: people or families? people
    Which group is smaller: families or people? families
    Which group is smaller: people or families? families
    """
    found = _CHOICES.fullmatch(question.text)
    if not found or "comparative_binary" not in question_types(question) or len(question.answer.spans) != 1:
        return
    choices = _split(found["choices"], question.answer.spans[0])
    opposite, replaced = _COMPARATIVE.subn(lambda word: _OPPOSITES[word[0]], found["before"])
    if not choices or replaced != 1:
        return
    first, second = choices
    is_first = _plain(first) == _plain(question.answer.spans[0])
    right, other = (first, second) if is_first else (second, first)
    as_asked, turned = f"{first} or {second}", f"{second} or {first}"
    copies = ((found["before"], turned, right), (opposite, as_asked, other), (opposite, turned, other))
    for place, (before, offered, answer) in enumerate(copies):
        yield replace(
            question,
            id=f"{question.id}_mirrored_{place}",
            text=f"{before}{offered}{found['after']}",
            answer=GoldAnswer(spans=(answer,)),
            validated=(),
        )


def _split(choices: str, answer: str) -> tuple[str, str] | None:
    """The two choices, of which the answer is one; a choice may contain "or" itself."""
    for word in re.finditer(" or ", choices):
        first, second = choices[: word.start()], choices[word.end() :]
        if (_plain(first) == _plain(answer)) != (_plain(second) == _plain(answer)):
            return first, second
    return None


def _plain(text: str) -> str:
    return re.sub(r"^(the|an?) ", "", text.strip().lower())
