import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.formats import from_json
from numprobe.drop.metric import Score, gold_texts, score_prediction, score_predictions, score_spans
from numprobe.drop.question_types import ANSWER_TYPES, QUESTION_TYPES
from numprobe.errors import NumprobeError

TEXTS = st.lists(st.text() | st.sampled_from(["5", "the 5 yards", "-5.0", "5-yard", "a", "nan", "1e999"]), max_size=4)


@pytest.mark.parametrize(
    ("prediction", "gold", "expected"),
    [
        (["The Saints"], ["saints!"], (1.0, 1.0)),
        (["5"], ["5.0"], (1.0, 1.0)),
        (["-5"], ["5"], (1.0, 1.0)),
        (["five"], ["5"], (0.0, 0.0)),
        (["5.5%"], ["55"], (1.0, 1.0)),
        (["43 yards"], ["43-yard"], (0.0, 0.5)),
        (["42 yards"], ["43 yards"], (0.0, 0.0)),  # another number is worth nothing
        (["Gould", "Akers"], ["Akers", "Gould"], (1.0, 1.0)),
        (["Akers", "Akers"], ["Akers"], (0.0, 0.5)),
        ([], ["Akers"], (0.0, 0.0)),
        ([""], ["Akers"], (0.0, 0.0)),
    ],
)
def test_known_scores(prediction: list[str], gold: list[str], expected: tuple[float, float]) -> None:
    assert score_spans(prediction, gold) == expected


def test_each_score_is_the_best_over_annotations() -> None:
    question = Question("1", "Who?", GoldAnswer(spans=("Robbie Gould",)), (GoldAnswer(spans=("Gould", "Akers")),))
    assert score_prediction(["Gould"], question) == (0.0, 0.67)


def test_number_then_spans_then_date() -> None:
    assert gold_texts(GoldAnswer(number="5", spans=("x",))) == ("5",)
    assert gold_texts(GoldAnswer(date=("", "May", "1999"))) == (" May 1999",)


@given(TEXTS, TEXTS)
def test_scores_are_shares(prediction: list[str], gold: list[str]) -> None:
    exact, f1 = score_spans(prediction, gold)
    assert exact in (0.0, 1.0)
    assert 0 <= f1 <= 1


@given(TEXTS.filter(bool))
def test_an_answer_matches_itself_in_any_order(texts: list[str]) -> None:
    exact, f1 = score_spans(texts[::-1], texts)
    assert exact == 1.0
    assert f1 == 1.0


def test_real_cases(real_drop: Path) -> None:
    cases = json.loads((real_drop / "metric_cases.json").read_text(encoding="utf-8"))
    assert len(cases) == 1000
    for case in cases:
        pair = {"question": "?", "query_id": "1", "answer": case["gold"][0], "validated_answers": case["gold"][1:]}
        (passage,) = from_json({"p": {"passage": "…", "qa_pairs": [pair]}}, "cases")
        assert score_prediction(case["prediction"], passage.questions[0]) == (case["em"], case["f1"]), case


PASSAGES = [
    Passage(
        "p",
        "Akers kicked a 43-yard and Gould a 20-yard field goal.",
        (
            Question("a", "How many yards was the longest field goal?", GoldAnswer(number="43")),
            Question("b", "Which kick was longer, that of Akers or Gould?", GoldAnswer(spans=("David Akers",))),
            Question("c", "Who kicked?", GoldAnswer(spans=("Akers", "Gould"))),
        ),
    )
]


def test_scores_by_answer_and_question_type() -> None:
    scores = score_predictions({"a": "43", "b": ["Akers"], "c": ["Gould", "Akers"]}, PASSAGES)
    assert list(scores) == ["all", *ANSWER_TYPES, *QUESTION_TYPES]
    assert scores["all"].count == 3
    assert (scores["all"].em, scores["all"].f1) == pytest.approx((200 / 3, 267 / 3))
    assert scores["comparative_binary"] == scores["span"] == Score(1, 0.0, 67.0)
    assert scores["superlative_number"] == scores["number"] == Score(1, 100.0, 100.0)
    assert scores["date"] == Score(0, None, None)


def test_a_missing_prediction_scores_0() -> None:
    scores = score_predictions({"a": "43"}, PASSAGES)
    assert scores["all"].em == pytest.approx(100 / 3)


@pytest.mark.parametrize("prediction", [43, None, ["43", 5], {"number": "43"}])
def test_predictions_of_the_wrong_type(prediction: object) -> None:
    with pytest.raises(NumprobeError, match="prediction for 'a' must be a string or a list"):
        score_predictions({"a": prediction}, PASSAGES)


def test_unknown_questions() -> None:
    with pytest.raises(NumprobeError, match="2 of the predictions, such as 'x', answer questions not in the data"):
        score_predictions({"a": "43", "x": "1", "y": "2"}, PASSAGES)
