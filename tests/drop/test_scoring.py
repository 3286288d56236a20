import pytest

from numprobe.drop.data import Answer, Passage, Question
from numprobe.drop.question_types import ANSWER_TYPES, QUESTION_TYPES
from numprobe.drop.scoring import Score, score
from numprobe.errors import NumprobeError

PASSAGES = [
    Passage(
        "p",
        "Akers kicked a 43-yard and Gould a 20-yard field goal.",
        (
            Question("a", "How many yards was the longest field goal?", Answer(number="43")),
            Question("b", "Which kick was longer, that of Akers or Gould?", Answer(spans=("David Akers",))),
            Question("c", "Who kicked?", Answer(spans=("Akers", "Gould"))),
        ),
    )
]


def test_scores_by_answer_and_question_type() -> None:
    scores = score({"a": "43", "b": ["Akers"], "c": ["Gould", "Akers"]}, PASSAGES)
    assert list(scores.parts) == ["all", *ANSWER_TYPES, *QUESTION_TYPES]
    assert scores.missing == ()
    assert scores.parts["all"].count == 3
    assert (scores.parts["all"].em, scores.parts["all"].f1) == pytest.approx((200 / 3, 267 / 3))
    assert scores.parts["comparative_binary"] == scores.parts["span"] == Score(1, 0.0, 67.0)
    assert scores.parts["superlative_number"] == scores.parts["number"] == Score(1, 100.0, 100.0)
    assert scores.parts["date"] == Score(0, None, None)


def test_a_missing_prediction_scores_nothing_and_is_named() -> None:
    scores = score({"a": "43"}, PASSAGES)
    assert scores.missing == ("b", "c")
    assert scores.parts["all"].em == pytest.approx(100 / 3)


@pytest.mark.parametrize("prediction", [43, None, ["43", 5], {"number": "43"}])
def test_predictions_of_the_wrong_kind(prediction: object) -> None:
    with pytest.raises(NumprobeError, match="prediction for 'a' must be a text or a list"):
        score({"a": prediction}, PASSAGES)


def test_unknown_questions() -> None:
    with pytest.raises(NumprobeError, match="the data lacks questions that are answered: 2, such as 'x'"):
        score({"a": "43", "x": "1", "y": "2"}, PASSAGES)
