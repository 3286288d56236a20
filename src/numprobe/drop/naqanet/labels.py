"""Every way in which NAQANet can come to the answer of a question: what training raises the probability of."""

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from numprobe.drop.data import Answer
from numprobe.drop.naqanet.tokens import tokenize
from numprobe.drop.quantities import token_value

Span = tuple[int, int]
"""The first and the last token."""
Sum = tuple[tuple[int, int], ...]
"""One or two of the passage's numbers, each by its place among them, and with the sign 1 or -1."""

Label = TypeVar("Label")

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


class Places:
    """Where each of some things is found."""

    def __init__(self, things: Iterable[str | int]) -> None:
        self.of: dict[str | int, list[int]] = {}
        for place, thing in enumerate(things):
            self.of.setdefault(thing, []).append(place)

    def __getitem__(self, thing: str | int) -> Sequence[int]:
        return self.of.get(thing, ())


class Searched:
    """The words and the numbers of a text, ready for many searches."""

    def __init__(self, words: Iterable[str], values: Sequence[int] = ()) -> None:
        self.words = normalised(words)
        self.places = Places(self.words)
        self.values = values
        self.values_at = Places(values)

    def spans(self, wanted: Sequence[str]) -> Iterator[Span]:
        """Where some normalised words stand; articles between them may be skipped."""
        for start in self.places[wanted[0]] if wanted else ():
            end = self._end(start, wanted)
            if end is not None:
                yield start, end

    def sums(self, target: int) -> Iterator[Sum]:
        """One or two of the numbers, with signs, whose sum is the target.

        >>> list(Searched([], [43, 20, 23]).sums(23))
        [((2, 1),), ((0, 1), (1, -1))]
        """
        for sign in _SIGNS:
            yield from (((place, sign),) for place in self.values_at[sign * target])
        for place, value in enumerate(self.values):
            for sign, other_sign in _PAIRS_OF_SIGNS:
                for other in self.values_at[other_sign * (target - sign * value)]:
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
    """Words as they are compared.

    >>> normalised(["The", "Saints'", "-"])
    ['the', 'saints', '']
    """
    return [word.lower().strip(_STRIPPED) for word in words]


def label(answer: Answer, passage: Searched, question: Searched) -> Labels:
    """The labels of one annotation: each of its spans, and each part of a date, is a valid answer of its own."""
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
    """The words of an answer; marks at its ends don't count."""
    words = normalised(tokenize(text).words)
    while words and not words[-1]:
        words.pop()
    while words and not words[0]:
        words.pop(0)
    return words


def _distinct(labels: Iterable[Label]) -> tuple[Label, ...]:
    return tuple(dict.fromkeys(labels))
