"""DROP's official exact match and F1, for one prediction and by type of question.

The oddities of the official script ("-5" equals "5", "five" differs from "5") are kept.
"""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from numprobe.drop.data import MOST_SPANS, GoldAnswer, Passage, Question, all_questions
from numprobe.drop.question_types import ANSWER_TYPES, QUESTION_TYPES, answer_type, question_types
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import read_json, shortened

Prediction = str | list[str]
"""A predicted answer: one span or several."""

PARTS = ("all", *ANSWER_TYPES, *QUESTION_TYPES)
"""All questions, the answer types and the question types."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@dataclass(frozen=True)
class Score:
    """Exact match and F1 in percent; None if there are no questions."""

    count: int
    em: float | None
    f1: float | None


def read_predictions(path: str | Path) -> dict[str, Any]:
    """The predictions in a JSON file, by query id."""
    predictions = read_json(Path(path))
    if not isinstance(predictions, dict):
        raise NumprobeError(f'{path} must be an object {{"query_id": "answer", …}}')
    return predictions


def score_predictions(predictions: Mapping[str, Any], passages: Sequence[Passage]) -> dict[str, Score]:
    """Scores of "all" questions, of each answer type and of each question type; a missing prediction scores 0.

    The first annotation decides the answer type of a question.

    >>> asked = Question("1", "How many yards was the longest touchdown?", GoldAnswer(number="43"))
    >>> score_predictions({"1": "43"}, [Passage("p", "…", (asked,))])["superlative"]
    Score(count=1, em=100.0, f1=100.0)
    """
    questions = all_questions(passages)
    check_answered(predictions, questions)
    scores: dict[str, list[tuple[float, float]]] = {name: [] for name in PARTS}
    for question in questions:
        own = score_prediction(predictions.get(question.id, []), question)
        for name in parts_of(question):
            scores[name].append(own)
    return {name: _mean(pairs) for name, pairs in scores.items()}


def parts_of(question: Question) -> tuple[str, ...]:
    """The members of `PARTS` that a question belongs to."""
    return ("all", answer_type(question.answer), *question_types(question))


def check_answered(predictions: Mapping[str, Any], questions: Sequence[Question]) -> None:
    """Refuse predictions for questions that are not there."""
    unknown = predictions.keys() - {question.id for question in questions}
    if unknown:
        raise NumprobeError(
            f"{len(unknown)} of the predictions, such as {shortened(min(unknown))}, answer questions not in the data"
        )


def score_prediction(prediction: Any, question: Question) -> tuple[float, float]:
    """Exact match and F1 in [0, 1], each the highest over all annotations of a question."""
    spans = [prediction] if isinstance(prediction, str) else prediction
    where = f"the prediction for {shortened(question.id)}"
    if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
        raise NumprobeError(f"{where} must be a string or a list of strings, not {shortened(prediction)}")
    if len(spans) > MOST_SPANS:
        raise NumprobeError(f"{where} has {len(spans):,} spans; the most is {MOST_SPANS}")
    pairs = [score_spans(spans, gold_texts(answer)) for answer in (question.answer, *question.validated)]
    return max(exact for exact, _ in pairs), max(f1 for _, f1 in pairs)


def gold_texts(answer: GoldAnswer) -> tuple[str, ...]:
    """The texts that a prediction is compared with.

    >>> gold_texts(GoldAnswer(date=("5", "May", "1999")))
    ('5 May 1999',)
    """
    if answer.number:
        return (answer.number,)
    return answer.spans or (" ".join(answer.date),)


def score_spans(prediction: Sequence[str], gold: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 in [0, 1] of the spans of a prediction and of one annotation.

    >>> score_spans(["the Saints", "Browns"], ["Saints"])
    (0.0, 0.5)
    """
    predicted, wanted = ([normalise(span) for span in spans] for spans in (prediction, gold))
    exact = set(predicted) == set(wanted) and len(predicted) == len(wanted)
    return float(exact), _f1([set(span.split()) for span in predicted], [set(span.split()) for span in wanted])


def clustered_error(values: np.ndarray, passage: np.ndarray) -> float:
    """The standard error of a mean of values that belong to these passages: those of one passage are not independent.

    >>> clustered_error(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1])).__round__(3)
    0.354
    """
    return float(np.linalg.norm(np.bincount(passage, weights=values - values.mean()))) / len(values)


def _mean(pairs: Sequence[tuple[float, float]]) -> Score:
    if not pairs:
        return Score(0, None, None)
    em, f1 = (100 * fmean(values) for values in zip(*pairs, strict=True))
    return Score(len(pairs), em, f1)


def normalise(text: str) -> str:
    """A text as the metric compares it.

    >>> normalise("The 43-yard run"), normalise("-5.50")
    ('43.0 yard run', '5.5')
    """
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
    """Mean F1 of the best one-to-one alignment; a span without a partner counts as 0."""
    from scipy.optimize import linear_sum_assignment

    pairs = np.array([_overlap(bag, gold) for gold in wanted for bag in predicted])
    pairs = pairs.reshape(len(wanted), len(predicted))
    aligned = np.zeros(max(pairs.shape))
    rows, columns = linear_sum_assignment(-pairs)
    aligned[rows] = pairs[rows, columns]
    # Round with NumPy, as the official script does: Python rounds differently if the third decimal is a 5.
    return float(np.round(aligned.mean(), 2)) if aligned.size else 0.0


def _overlap(predicted: set[str], wanted: set[str]) -> float:
    """F1 of two bags of words; 0 if the wanted one has numbers and the predicted one has none of them."""
    numbers = set(filter(_is_number, wanted))
    if numbers and not numbers & predicted:
        return 0.0
    common = len(wanted & predicted)
    precision = common / len(predicted) if predicted else 1.0
    recall = common / len(wanted) if wanted else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
