"""The stress test of any model: the same questions with the original text and with every number changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from numprobe.drop.carrying import change_text
from numprobe.drop.changes import Change, load_change
from numprobe.drop.data import Passage, Question, all_questions, keep_questions
from numprobe.drop.metric import Prediction, clustered_error, parts_of, score_prediction
from numprobe.drop.quantities import replaced
from numprobe.errors import NumprobeError, at_least

ORIGINAL = "original"
STRESSED_PARTS = ("all", "superlative", "comparative")

Texts = dict[str, tuple[Passage, ...]]
"""ORIGINAL or a change -> passages, with the same questions in the same order."""


@dataclass(frozen=True)
class Stressed:
    """Scores on one version of the text in percent, and their differences from the original's."""

    count: int
    em: float
    f1: float
    em_difference: float
    f1_difference: float
    f1_error: float
    """The standard error of the F1 difference, clustered by passage."""
    em_own_error: float = 0.0
    """The standard error of the EM itself, clustered by passage."""
    f1_own_error: float = 0.0


def stress_texts(changes: Sequence[str], passages: Sequence[Passage], seed: int) -> Texts:
    """The questions whose answers are known under every change, with the original text and under each change."""
    at_least(0, seed=seed)
    texts = {}
    for name in changes:
        change = load_change(name)
        writable = [passage for passage in passages if _is_writable(passage, change, seed)]
        texts[name], _ = change_text(change, writable or passages, seed)
    found = [{question.id: question for question in all_questions(text)} for text in (passages, *texts.values())]
    common = set.intersection(*(set(questions) for questions in found))
    if not common:
        raise NumprobeError(f"no question has a known answer after {' and '.join(changes)}")
    # If a change loses an annotation, the question would be easier under the other changes.
    uneven = {name for name in common if len({len(questions[name].validated) for questions in found}) > 1}

    def evened(question: Question) -> Question:
        return replace(question, validated=()) if question.id in uneven else question

    def paired(text: Sequence[Passage]) -> tuple[Passage, ...]:
        kept = keep_questions(text, lambda question: question.id in common)
        return tuple(replace(each, questions=tuple(map(evened, each.questions))) for each in kept)

    return {name: paired(text) for name, text in {ORIGINAL: passages, **texts}.items()}


def compare_texts(
    texts: Texts, predictions: Mapping[str, Mapping[str, Prediction]], parts: Sequence[str] = STRESSED_PARTS
) -> dict[str, dict[str, Stressed]]:
    """Part -> change -> scores, from predictions by change and query id; parts without questions are left out."""
    scores = {}
    for name, text in texts.items():
        pairs = [score_prediction(predictions[name][question.id], question) for question in all_questions(text)]
        scores[name] = 100 * np.array(pairs)
    types = [parts_of(question) for question in all_questions(texts[ORIGINAL])]
    passage = np.repeat(np.arange(len(texts[ORIGINAL])), [len(each.questions) for each in texts[ORIGINAL]])
    chosen = {part: np.array([part in names for names in types]) for part in parts}
    return {
        part: {name: _stressed(values[at], scores[ORIGINAL][at], passage[at]) for name, values in scores.items()}
        for part, at in chosen.items()
        if at.any()
    }


def _is_writable(passage: Passage, change: Change, seed: int) -> bool:
    """Whether no number becomes too large to write."""
    rewriting = change.draw(seed, passage.id)
    try:
        for text in (passage.text, *(question.text for question in passage.questions)):
            replaced(text, rewriting)
    except NumprobeError:
        return False
    return True


def _stressed(scores: np.ndarray, original: np.ndarray, passage: np.ndarray) -> Stressed:
    em, f1 = scores.mean(axis=0).tolist()
    em_difference, f1_difference = (scores - original).mean(axis=0).tolist()
    difference = clustered_error((scores - original)[:, 1], passage)
    own = (clustered_error(scores[:, column], passage) for column in range(2))
    return Stressed(len(scores), em, f1, em_difference, f1_difference, difference, *own)
