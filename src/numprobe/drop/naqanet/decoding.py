"""From NAQANet's probabilities to one answer: by type, as in the paper, or by all the ways to the same answer."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from numprobe.drop.metric import normalise
from numprobe.drop.naqanet.labels import asks_for_share
from numprobe.drop.naqanet.model import ANSWER_HEADS, Outputs
from numprobe.drop.naqanet.reading import TokenizedPassage, TokenizedQuestion
from numprobe.drop.naqanet.vocabulary import Tokens
from numprobe.drop.quantities import Amount

PASSAGE_SPAN, QUESTION_SPAN, SUM, COUNT = ANSWER_HEADS
MOST_ENDS, LONGEST_SPAN = 8, 20
"""The first and last words that are tried, and the tokens between them."""


@dataclass(frozen=True)
class NAQANetAnswer:
    text: str
    type: str
    """One of `ANSWER_HEADS`."""
    probability: float
    """Of the type, or of the answer if all ways to it are weighed."""
    terms: tuple[Amount, ...] = ()
    """The numbers in a sum, with their signs."""


def by_type(reading: TokenizedPassage, question: TokenizedQuestion, outputs: Outputs) -> NAQANetAnswer:
    """The most probable answer of the most probable type; a sum takes each number on its own, perhaps none."""
    kind = ANSWER_HEADS[int(outputs.type.argmax())]
    terms: tuple[Amount, ...] = ()
    if kind == PASSAGE_SPAN:
        text = reading.tokens.between(*best_span(outputs.passage_start, outputs.passage_end))
    elif kind == QUESTION_SPAN:
        text = question.tokens.between(*best_span(outputs.question_start, outputs.question_end))
    elif kind == COUNT:
        text = str(int(outputs.counts.argmax()))
    else:
        signs = outputs.signs.argmax(-1).tolist()
        terms = tuple((0, 1, -1)[sign] * value for value, sign in zip(reading.values, signs, strict=False) if sign)
        text = str(sum(terms))
    return NAQANetAnswer(text, kind, float(outputs.type.exp().max()), terms)


def by_all_ways(reading: TokenizedPassage, question: TokenizedQuestion, outputs: Outputs) -> NAQANetAnswer:
    """The answer that is most probable in all ways together: as a span, a count, and sums of one or two numbers.

    This is what training makes probable. A sum of no number, which is never right, is not among them.
    """
    total: dict[str, float] = defaultdict(float)
    best: dict[str, NAQANetAnswer] = {}
    for way in _ways(reading, question, outputs):
        answer = normalise(way.text)
        total[answer] += way.probability
        if answer not in best or way.probability > best[answer].probability:
            best[answer] = way
    answer = max(total, key=total.__getitem__)
    return NAQANetAnswer(best[answer].text, best[answer].type, total[answer], best[answer].terms)


def best_span(start: Tensor, end: Tensor) -> tuple[int, int]:
    """The most probable span whose end does not precede its start."""
    best, starts = start.cummax(dim=0)
    last = int((best + end).argmax())
    return int(starts[last]), last


def _ways(reading: TokenizedPassage, question: TokenizedQuestion, outputs: Outputs) -> Iterator[NAQANetAnswer]:
    """All ways to answer that are worth trying; sums with the same value come as one, with its most probable terms."""
    types = outputs.type.exp().tolist()
    for kind, share, tokens, start, end in (
        (PASSAGE_SPAN, types[0], reading.tokens, outputs.passage_start, outputs.passage_end),
        (QUESTION_SPAN, types[1], question.tokens, outputs.question_start, outputs.question_end),
    ):
        for first, last in _spans(tokens, start, end):
            probability = share * math.exp(float(start[first] + end[last]))
            yield NAQANetAnswer(tokens.between(first, last), kind, probability)
    for terms, probability in _sums(reading, question, outputs.signs):
        yield NAQANetAnswer(str(sum(terms)), SUM, types[2] * probability, terms)
    for count, probability in enumerate(outputs.counts.exp().tolist()):
        yield NAQANetAnswer(str(count), COUNT, types[3] * probability)


def _spans(tokens: Tokens, start: Tensor, end: Tensor) -> set[tuple[int, int]]:
    length = len(tokens.places)
    firsts, lasts = (each[:length].topk(min(MOST_ENDS, length)).indices.tolist() for each in (start, end))
    tried = {(first, last) for first in firsts for last in lasts if first <= last < first + LONGEST_SPAN}
    return tried or {best_span(start[:length], end[:length])}


def _sums(
    reading: TokenizedPassage, question: TokenizedQuestion, signs: Tensor
) -> Iterator[tuple[tuple[Amount, ...], float]]:
    """The most probable terms, and the probability in all, of each value that one or two numbers add up to.

    As in the labels, 100 is only there to subtract from, in questions about a percentage.
    """
    values = reading.values
    count = len(values)
    logits = signs.double().numpy()
    gains = (logits[:count, 1:] - logits[:count, :1]).T.ravel()
    signed = np.concatenate((np.array(values, float), -np.array(values, float)))
    places = np.arange(2 * count)
    one, other = np.triu_indices(2 * count, 1)
    differs = one + count != other  # a number can't have both signs
    pairs = np.stack((one[differs], other[differs]), axis=1)
    terms = np.concatenate((np.stack((places, np.full_like(places, -1)), axis=1), pairs))
    if reading.wide:
        of_whole = ((terms == 0) | (terms == count)).any(axis=1)
        remainders = (terms[:, 0] == 0) & (terms[:, 1] > count)
        terms = terms[~of_whole | remainders] if asks_for_share(question.tokens.words) else terms[~of_whole]
    if not len(terms):
        return
    alone = terms[:, 1] < 0
    sums = signed[terms[:, 0]] + np.where(alone, 0, signed[terms[:, 1]])
    weights = np.exp(logits[:, 0].sum() + gains[terms[:, 0]] + np.where(alone, 0, gains[terms[:, 1]]))
    _, group = np.unique(sums.round(6), return_inverse=True)
    total = np.bincount(group, weights=weights)
    order = np.argsort(weights)
    likeliest = np.empty(len(total), int)
    likeliest[group[order]] = order  # the last one written is the most probable
    for row, probability in zip(terms[likeliest].tolist(), total.tolist(), strict=True):
        chosen = sorted(place for place in row if place >= 0)
        yield tuple(values[place % count] * (1 if place < count else -1) for place in chosen), probability
