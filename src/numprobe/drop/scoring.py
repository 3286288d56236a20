"""Scores of any model's predictions: over all questions, by answer type and by question type."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from numprobe.drop.data import MOST_SPANS, Passage
from numprobe.drop.metric import best_scores
from numprobe.drop.question_types import ANSWER_TYPES, QUESTION_TYPES, answer_type, question_types
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import read_json, shortened


@dataclass(frozen=True)
class Score:
    """Exact match and F1 in percent; None where there is no question."""

    count: int
    em: float | None
    f1: float | None


@dataclass(frozen=True)
class Scores:
    parts: dict[str, Score]
    """"all", every answer type and every question type."""
    missing: tuple[str, ...]
    """Ids of questions without a prediction; they score 0."""


def read_predictions(path: str | Path) -> dict[str, Any]:
    """The predictions of a JSON file, by query id."""
    predictions = read_json(Path(path))
    if not isinstance(predictions, dict):
        raise NumprobeError(f'{path} must be an object {{"query_id": "answer", …}}')
    return predictions


def score(predictions: Mapping[str, Any], passages: Sequence[Passage]) -> Scores:
    """Score predictions by query id; each is a text or a list of texts. Answer types are those of the first annotation.

    >>> from numprobe.drop.data import Answer, Question
    >>> asked = Question("1", "How many yards was the longest touchdown?", Answer(number="43"))
    >>> score({"1": "43"}, [Passage("p", "…", (asked,))]).parts["superlative"]
    Score(count=1, em=100.0, f1=100.0)
    """
    questions = [question for passage in passages for question in passage.questions]
    unknown = predictions.keys() - {question.id for question in questions}
    if unknown:
        raise NumprobeError(
            f"the data lacks questions that are answered: {len(unknown)}, such as {shortened(min(unknown))}"
        )
    kept: dict[str, list[tuple[float, float]]] = {name: [] for name in ("all", *ANSWER_TYPES, *QUESTION_TYPES)}
    for question in questions:
        scores = best_scores(spans(question.id, predictions.get(question.id, [])), question)
        for name in ("all", answer_type(question.answer), *question_types(question)):
            kept[name].append(scores)
    missing = tuple(question.id for question in questions if question.id not in predictions)
    return Scores({name: _mean(scores) for name, scores in kept.items()}, missing)


def spans(query_id: str, prediction: Any) -> list[str]:
    """The spans of a prediction, which is a text or a list of texts."""
    found = [prediction] if isinstance(prediction, str) else prediction
    if not isinstance(found, list) or not all(isinstance(span, str) for span in found):
        raise NumprobeError(
            f"the prediction for {shortened(query_id)} must be a text or a list of texts, not {shortened(prediction)}"
        )
    if len(found) > MOST_SPANS:
        raise NumprobeError(
            f"the prediction for {shortened(query_id)} has {len(found):,} spans; the most is {MOST_SPANS}"
        )
    return found


def _mean(scores: Sequence[tuple[float, float]]) -> Score:
    if not scores:
        return Score(0, None, None)
    em, f1 = (100 * fmean(values) for values in zip(*scores, strict=True))
    return Score(len(scores), em, f1)
