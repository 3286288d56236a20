"""All the ways in which NAQANet can produce the answer to a question: training makes them more probable."""

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from numprobe.drop.data import GoldAnswer
from numprobe.drop.naqanet.vocabulary import tokenize
from numprobe.drop.quantities import Amount, token_value, wide_values

Span = tuple[int, int]
"""First and last token."""
Sum = tuple[tuple[int, int], ...]
"""One or two of the numbers in the passage, each as its place among them and its sign, 1 or -1."""

LARGEST_COUNT = 9

_STRIPPED = string.punctuation + "‘’´`_"
_ARTICLES = frozenset(("a", "an", "the"))
_SIGNS = (1, -1)
_PERCENT = frozenset(("percent", "percents", "percentage", "percentages"))


@dataclass(frozen=True)
class Labels:
    passage_spans: tuple[Span, ...] = ()
    question_spans: tuple[Span, ...] = ()
    sums: tuple[Sum, ...] = ()
    count: int | None = None


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


def find_sums(values: Sequence[Amount], target: Amount) -> Iterator[Sum]:
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


def find_remainders(values: Sequence[Amount], target: Amount) -> Iterator[Sum]:
    """100 minus one of the numbers; the first value is 100.

    >>> list(find_remainders([100, 23, 40], 60))
    [((0, 1), (2, -1))]
    """
    yield from (((0, 1), (place, -1)) for place, value in enumerate(values) if place and values[0] - value == target)


def asks_for_share(question: Iterable[str]) -> bool:
    """Whether the words of a question name a percentage, which may be what remains of 100.

    >>> asks_for_share(["How", "many", "percent", "were", "not", "Irish", "?"])
    True
    """
    return not _PERCENT.isdisjoint(normalised(question))


def label(
    answer: GoldAnswer, passage: Sequence[str], values: Sequence[Amount], question: Sequence[str], wide: bool = False
) -> Labels:
    """The labels of one annotation; each of its spans and each part of a date counts as an answer.

    The passage and the question are normalised words, and the values are those of the passage's numbers. If `wide`,
    the first value is 100, from which a question about a percentage may subtract.
    """
    texts = answer.spans or tuple(filter(None, (answer.number, *answer.date)))
    wanted = [_searched_for(text) for text in texts]
    read = wide_values(texts) if wide else map(token_value, texts)
    targets = [] if answer.spans else [value for value in read if value is not None]
    sums = [found for target in targets for found in find_sums(values[wide:], target)]
    if wide:
        sums = [tuple((place + 1, sign) for place, sign in found) for found in sums]
        if asks_for_share(question):
            sums += (found for target in targets for found in find_remainders(values, target))
    small = targets[0] if answer.number and targets and targets[0] <= LARGEST_COUNT else None
    return Labels(
        passage_spans=tuple(dict.fromkeys(span for words in wanted for span in find_spans(passage, words))),
        question_spans=tuple(dict.fromkeys(span for words in wanted for span in find_spans(question, words))),
        sums=tuple(dict.fromkeys(sums)),
        count=int(small) if small is not None and small == int(small) else None,
    )


def _searched_for(text: str) -> list[str]:
    """The normalised words of an answer, without punctuation at its ends."""
    words = normalised(tokenize(text).words)
    while words and not words[-1]:
        words.pop()
    while words and not words[0]:
        words.pop(0)
    return words
