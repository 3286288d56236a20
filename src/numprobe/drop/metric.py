"""DROP's official exact match and F1. Its oddities ("-5" equals "5", "five" isn't "5") are part of it."""

import re
import string
from collections.abc import Sequence

import numpy as np

from numprobe.drop.data import Answer, Question

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def gold_texts(answer: Answer) -> tuple[str, ...]:
    """The texts of an annotation that a prediction is compared to.

    >>> gold_texts(Answer(date=("5", "May", "1999")))
    ('5 May 1999',)
    """
    if answer.number:
        return (answer.number,)
    return answer.spans or (" ".join(answer.date),)


def best_scores(prediction: Sequence[str], question: Question) -> tuple[float, float]:
    """Exact match and F1, each the highest over all annotations of a question."""
    pairs = [scores(prediction, gold_texts(answer)) for answer in (question.answer, *question.validated)]
    return max(exact for exact, _ in pairs), max(f1 for _, f1 in pairs)


def scores(prediction: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1, both in [0, 1], of the spans of a prediction against those of one annotation.

    >>> scores(["the Saints", "Browns"], ["Saints"])
    (0.0, 0.5)
    """
    predicted, wanted = ([_normalised(span) for span in spans] for spans in (prediction, gold))
    exact = set(predicted) == set(wanted) and len(predicted) == len(wanted)
    return float(exact), _f1([set(span.split()) for span in predicted], [set(span.split()) for span in wanted])


def _normalised(text: str) -> str:
    words = (_ARTICLES.sub(" ", _normalised_word(word.lower())).split() for word in re.split(" |-", text))
    return " ".join(part for parts in words for part in parts)


def _normalised_word(word: str) -> str:
    if not _is_number(word):
        word = word.translate(_PUNCTUATION)
    return str(float(word)) if _is_number(word) else word


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _f1(predicted: list[set[str]], wanted: list[set[str]]) -> float:
    """Mean F1 of the best one-to-one alignment; a span with no partner counts as 0."""
    pairs = np.array([[_overlap(bag, gold) for bag in predicted] for gold in wanted]).reshape(
        len(wanted), len(predicted)
    )
    aligned = np.zeros(max(pairs.shape))
    if 1 in pairs.shape:
        aligned[0] = pairs.max(initial=0.0)
    else:
        from scipy.optimize import linear_sum_assignment  # takes longer to import than most files to score

        rows, columns = linear_sum_assignment(-pairs)
        aligned[rows] = pairs[rows, columns]
    # NumPy's rounding, as in the official script: Python's differs where the third decimal is a 5.
    return float(np.round(aligned.mean(), 2)) if aligned.size else 0.0


def _overlap(predicted: set[str], wanted: set[str]) -> float:
    """F1 of two bags of words; 0 where the wanted one has numbers and the predicted one has none of them."""
    numbers = set(filter(_is_number, wanted))
    if numbers and not numbers & predicted:
        return 0.0
    common = len(wanted & predicted)
    precision = common / len(predicted) if predicted else 1.0
    recall = common / len(wanted) if wanted else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
