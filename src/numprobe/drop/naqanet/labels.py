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


@dataclass(frozen=True)
class Labels:
    passage_spans: tuple[Span, ...] = ()
    question_spans: tuple[Span, ...] = ()
    sums: tuple[Sum, ...] = ()
    count: int | None = None

    def __bool__(self) -> bool:
        return bool(self.passage_spans or self.question_spans or self.sums or self.count is not None)


NO_LABELS = Labels()


def find_spans(words: Sequence[str], wanted: Sequence[str]) -> Iterator[Span]:
    """Where a sequence of normalised words occurs, perhaps with articles in between."""
    for start, word in enumerate(words):
        if not wanted or word != wanted[0]:
            continue
        matched, place = 1, start
        while matched < len(wanted) and place + 1 < len(words):
            place += 1
            if words[place] == wanted[matched]:
                matched += 1
            elif words[place] not in _ARTICLES:
                break
        if matched == len(wanted):
            yield start, place


def find_sums(values: Sequence[int], target: int) -> Iterator[Sum]:
    """One or two of the numbers, with signs, that add up to the target.

    >>> list(find_sums([43, 20, 23], 23))
    [((2, 1),), ((0, 1), (1, -1))]
    """
    for sign in _SIGNS:
        yield from (((place, sign),) for place, value in enumerate(values) if sign * value == target)
    for place, value in enumerate(values):
        for sign, other_sign in product(_SIGNS, repeat=2):
            for other in range(place + 1, len(values)):
                if sign * value + other_sign * values[other] == target:
                    yield (place, sign), (other, other_sign)


def normalised(words: Iterable[str]) -> list[str]:
    """Words in the form in which they are compared.

    >>> normalised(["The", "Saints'", "-"])
    ['the', 'saints', '']
    """
    return [word.lower().strip(_STRIPPED) for word in words]


def label(answer: GoldAnswer, passage: Sequence[str], values: Sequence[int], question: Sequence[str]) -> Labels:
    """The labels of one annotation; each of its spans and each part of a date counts as an answer.

    The passage and the question are normalised words, and the values are those of the passage's numbers.
    """
    texts = answer.spans or tuple(filter(None, (answer.number, *answer.date)))
    wanted = [_searched_for(text) for text in texts]
    targets = [] if answer.spans else [value for text in texts if (value := token_value(text)) is not None]
    return Labels(
        passage_spans=_distinct(span for words in wanted for span in find_spans(passage, words)),
        question_spans=_distinct(span for words in wanted for span in find_spans(question, words)),
        sums=_distinct(found for target in targets for found in find_sums(values, target)),
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


def _distinct(labels: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(labels))
