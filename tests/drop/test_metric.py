import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import Answer, Question, from_json
from numprobe.drop.metric import best_scores, gold_texts, scores

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
    assert scores(prediction, gold) == expected


def test_each_score_is_the_best_over_annotations() -> None:
    question = Question("1", "Who?", Answer(spans=("Robbie Gould",)), (Answer(spans=("Gould", "Akers")),))
    assert best_scores(["Gould"], question) == (0.0, 0.67)


def test_number_then_spans_then_date() -> None:
    assert gold_texts(Answer(number="5", spans=("x",))) == ("5",)
    assert gold_texts(Answer(date=("", "May", "1999"))) == (" May 1999",)


@given(TEXTS, TEXTS)
def test_scores_are_shares(prediction: list[str], gold: list[str]) -> None:
    exact, f1 = scores(prediction, gold)
    assert exact in (0.0, 1.0)
    assert 0 <= f1 <= 1


@given(TEXTS.filter(bool))
def test_an_answer_matches_itself_in_any_order(texts: list[str]) -> None:
    exact, f1 = scores(texts[::-1], texts)
    assert exact == 1.0
    assert f1 == 1.0


def test_real_cases(real_drop: Path) -> None:
    cases = json.loads((real_drop / "metric_cases.json").read_text(encoding="utf-8"))
    assert len(cases) == 1000
    for case in cases:
        pair = {"question": "?", "query_id": "1", "answer": case["gold"][0], "validated_answers": case["gold"][1:]}
        (passage,) = from_json({"p": {"passage": "…", "qa_pairs": [pair]}}, "cases")
        given = [case["prediction"]] if isinstance(case["prediction"], str) else case["prediction"]
        assert best_scores(given, passage.questions[0]) == (case["em"], case["f1"]), case
