import pytest

from numprobe.drop.data import GoldAnswer, Question
from numprobe.drop.mirrors import mirrored


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which group is larger: people or families", "households"),  # the answer is neither choice
        ("Was Irish or German larger?", "German"),  # nothing tells where the choices start
        ("Who had more touchdowns, Hester or Forte?", "Forte"),  # no comparative that has an opposite here
        ("How many runs were longer: 20 yards or longer?", "20 yards"),  # "or longer" offers no choice
        ("Which larger or smaller group is longer: A or B?", "A"),  # which word to turn?
    ],
)
def test_what_can_not_be_turned_is_left_alone(text: str, answer: str) -> None:
    assert list(mirrored(Question("1", text, GoldAnswer(spans=(answer,))))) == []


def test_a_choice_may_contain_or() -> None:
    asked = Question("1", "Which group is larger: two or more races or white?", GoldAnswer(spans=("White",)))
    assert [(copy.text, copy.answer.spans) for copy in mirrored(asked)] == [
        ("Which group is larger: white or two or more races?", ("white",)),
        ("Which group is smaller: two or more races or white?", ("two or more races",)),
        ("Which group is smaller: white or two or more races?", ("two or more races",)),
    ]


def test_mirroring_twice_leads_back() -> None:
    asked = Question("1", "Which age group is smaller: under 18 or 18 to 24?", GoldAnswer(spans=("18 to 24",)))
    for copy in mirrored(asked):
        texts = {back.text: back.answer for back in mirrored(copy)}
        assert texts[asked.text] == asked.answer
    assert len({copy.id for copy in mirrored(asked)}) == 3
