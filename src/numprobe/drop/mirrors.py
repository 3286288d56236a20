"""Copies of questions that compare numbers, whose answers follow.

The opposite of a two-way comparison has the other answer. And where the numbers of a passage change places, the largest
becomes the smallest, the opposite question keeps its answer.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from numprobe.drop.data import GoldAnswer, Question
from numprobe.drop.quantities import Amount, Quantity, written
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
_LENGTHS = {"longer": "shorter", "shorter": "longer", "longest": "shortest", "shortest": "longest"}
_TURNED = {
    **_OPPOSITES,
    **_LENGTHS,
    "largest": "smallest",
    "biggest": "smallest",
    "greatest": "smallest",
    "smallest": "largest",
    "highest": "lowest",
    "lowest": "highest",
}
_COMPARED = re.compile(rf"\b({'|'.join(_TURNED)})\b", re.IGNORECASE)
_YARDS, _SHARE, _COUNT = "yards", "%", "count"
_LEAST_COUNT = 100
"""Smaller numbers without a unit are often ages, ranks or parts of names, which don't change places."""
_YEARS = range(1000, 2101)
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


def opposite(question: Question, units: Mapping[int, str]) -> str:
    """The question to ask where the numbers of the passage have changed places; empty if there is none.

    >>> opposite(Question("1", "Who kicked the longest field goal?", GoldAnswer(spans=("Akers",))), {2: "yards"})
    'Who kicked the shortest field goal?'
    """
    words = _COMPARED.findall(question.text)
    if len(words) != 1 or not units or not {"comparative_binary", "superlative"} & set(question_types(question)):
        return ""
    word = words[0].lower()
    if word in _LENGTHS and _YARDS not in units.values():  # of time, perhaps between two years
        return ""
    return _COMPARED.sub(_TURNED[word], question.text)


def units_of(words: Sequence[str], numbers: Sequence[tuple[int, Amount]]) -> dict[int, str]:
    """The units of the numbers that can change places, by token: of each unit the largest and the smallest, and so on.

    >>> units_of("A 43 - yard kick , 3.5 % of 1,200 people in 1970".split(), [(1, 43), (6, 3), (9, 1200), (12, 1970)])
    {1: 'yards', 6: '%', 9: 'count'}
    """
    found = {}
    for place, value in numbers:
        after = [word.lower() for word in words[place + 1 : place + 3] if word != "-"]
        if after and after[0].startswith("yard"):
            found[place] = _YARDS
        elif after and after[0] in ("%", "percent"):
            found[place] = _SHARE
        elif value >= _LEAST_COUNT and ("," in words[place] or value not in _YEARS):
            found[place] = _COUNT
    return found


def reversed_numbers(
    words: Sequence[str], numbers: Sequence[tuple[int, Amount]], units: Mapping[int, str]
) -> tuple[str, ...]:
    """The words of a passage in which the numbers of each unit have changed places along the number line.

    >>> words = "43 % red , 12 % blue , 20 % green".split()
    >>> numbers = [(0, 43), (4, 12), (8, 20)]
    >>> " ".join(reversed_numbers(words, numbers, units_of(words, numbers)))
    '12 % red , 43 % blue , 35 % green'
    """
    groups: dict[str, list[tuple[int, Amount]]] = defaultdict(list)
    for place, value in numbers:
        if place in units:
            groups[units[place]].append((place, value))
    seen = list(words)
    for own in groups.values():
        ends = min(value for _, value in own) + max(value for _, value in own)
        for place, value in own:
            seen[place] = written(ends - value, Quantity(0, len(words[place]), words[place], value)).replace(" ", "-")
    return tuple(seen)
