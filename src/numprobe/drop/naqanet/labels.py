"""All the ways in which NAQANet can produce the answer to a question: training makes them more probable."""

import string
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from numprobe.drop.data import GoldAnswer
from numprobe.drop.naqanet.vocabulary import tokenize
from numprobe.drop.quantities import token_value

Span = tuple[int, int]
"""First and last token."""
Sum = tuple[tuple[int, int], ...]
"""One or two of the numbers in the passage, each as its place among them and its sign, 1 or -1."""

Thing = TypeVar("Thing", bound=Hashable)

LARGEST_COUNT = 9

_STRIPPED = string.punctuation + "‘’´`_"
_ARTICLES = frozenset(("a", "an", "the"))
_SIGNS = (1, -1)
_PAIRS_OF_SIGNS = tuple(product(_SIGNS, repeat=2))


@dataclass(frozen=True)
class Labels:
    passage_spans: tuple[Span, ...] = ()
    question_spans: tuple[Span, ...] = ()
    sums: tuple[Sum, ...] = ()
    count: int | None = None

    def __bool__(self) -> bool:
        return bool(self.passage_spans or self.question_spans or self.sums or self.count is not None)


NO_LABELS = Labels()


class SearchedText:
    """The words and numbers of a text, indexed for many searches."""

    def __init__(self, words: Iterable[str], values: Sequence[int] = ()) -> None:
        self.words = normalised(words)
        self.values = values
        self._word_places, self._value_places = _places(self.words), _places(values)

    def spans(self, wanted: Sequence[str]) -> Iterator[Span]:
        """Where a sequence of normalised words occurs, perhaps with articles in between."""
        for start in self._word_places.get(wanted[0], ()) if wanted else ():
            end = self._end(start, wanted)
            if end is not None:
                yield start, end

    def sums(self, target: int) -> Iterator[Sum]:
        """One or two of the numbers, with signs, that add up to the target.

        >>> list(SearchedText([], [43, 20, 23]).sums(23))
        [((2, 1),), ((0, 1), (1, -1))]
        """
        for sign in _SIGNS:
            yield from (((place, sign),) for place in self._value_places.get(sign * target, ()))
        for place, value in enumerate(self.values):
            for sign, other_sign in _PAIRS_OF_SIGNS:
                for other in self._value_places.get(other_sign * (target - sign * value), ()):
                    if other > place:
                        yield (place, sign), (other, other_sign)

    def _end(self, start: int, wanted: Sequence[str]) -> int | None:
        matched = 1
        for place in range(start, len(self.words)):
            if place > start:
                if self.words[place] == wanted[matched]:
                    matched += 1
                elif self.words[place] not in _ARTICLES:
                    return None
            if matched == len(wanted):
                return place
        return None


def normalised(words: Iterable[str]) -> list[str]:
    """Words in the form in which they are compared.

    >>> normalised(["The", "Saints'", "-"])
    ['the', 'saints', '']
    """
    return [word.lower().strip(_STRIPPED) for word in words]


def label(answer: GoldAnswer, passage: SearchedText, question: SearchedText) -> Labels:
    """The labels of one annotation; each of its spans and each part of a date counts as an answer."""
    texts = answer.spans or tuple(filter(None, (answer.number, *answer.date)))
    wanted = [_searched_for(text) for text in texts]
    targets = [] if answer.spans else [value for text in texts if (value := token_value(text)) is not None]
    return Labels(
        passage_spans=_distinct(span for words in wanted for span in passage.spans(words)),
        question_spans=_distinct(span for words in wanted for span in question.spans(words)),
        sums=_distinct(found for target in targets for found in passage.sums(target)),
        count=targets[0] if answer.number and targets and targets[0] <= LARGEST_COUNT else None,
    )


def _searched_for(text: str) -> list[str]:
    """The normalised words of an answer, without punctuation at its ends."""
    words = normalised(tokenize(text).words)
    while words and not words[-1]:
        words.pop()
    while words and not words[0]:
        words.pop(0)
    return words


def _places(things: Iterable[Thing]) -> dict[Thing, list[int]]:
    places: dict[Thing, list[int]] = {}
    for place, thing in enumerate(things):
        places.setdefault(thing, []).append(place)
    return places


def _distinct(labels: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(labels))
