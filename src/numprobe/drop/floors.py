"""What scores are worth next to nothing: those of readers who can't compare numbers."""

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean

from numprobe.drop.data import Passage, Question
from numprobe.drop.metric import parts_of, score_prediction
from numprobe.drop.quantities import Quantity, quantities

LABELS = {
    "guess": "right facts, then a guess",
    "digits": "right facts, digit counts and first digits only",
    "random": "a random number of the passage",
}
"""Floor -> what it is."""
RANDOM_PART = "superlative_number"


def floors_of(passages: Sequence[Passage]) -> dict[str, dict[str, float]]:
    """Part -> floor -> exact match in percent; a part is there only if all its questions have a floor.

    Of generated questions these are `guess` and `digits`, of real superlative questions with number answers `random`.
    """
    found: dict[str, list[dict[str, float]]] = {}
    for passage in passages:
        numbers = quantities(passage.text)
        for question in passage.questions:
            parts = parts_of(question)
            own = asdict(question.floors) if question.floors else {}
            if not own and RANDOM_PART in parts:
                own = {"random": random_number(question, numbers)}
            for part in parts:
                found.setdefault(part, []).append(own)
    return {
        part: {
            name: 100 * fmean(own[name] for own in all_own) for name in LABELS if all(name in own for own in all_own)
        }
        for part, all_own in found.items()
    }


def random_number(question: Question, numbers: Sequence[Quantity]) -> float:
    """How often a random number of the passage answers a question."""
    if not numbers:
        return 0.0
    return fmean(score_prediction(str(number.value), question)[0] for number in numbers)
