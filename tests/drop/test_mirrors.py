import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, Question
from numprobe.drop.mirrors import mirrored, opposite, reversed_numbers, units_of


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


@pytest.mark.parametrize(
    ("text", "units", "turned"),
    [
        ("Which group is larger: A or B?", {3: "%"}, "Which group is smaller: A or B?"),
        ("Who had the lowest share?", {3: "%"}, "Who had the highest share?"),
        ("Who kicked the shortest field goal?", {3: "yards"}, "Who kicked the longest field goal?"),
        ("Who ruled longest?", {3: "count"}, ""),  # of years, which stay
        ("Which touchdowns were longer than 20 yards?", {3: "yards"}, ""),  # 20 stays
        ("How much longer was the longest than the shortest kick?", {3: "yards"}, ""),
        ("Who kicked the longest field goal?", {}, ""),
    ],
)
def test_the_opposite_question(text: str, units: dict[int, str], turned: str) -> None:
    assert opposite(Question("1", text, GoldAnswer(spans=("A",))), units) == turned


def test_years_ages_and_ranks_stay() -> None:
    words = "In 1970 , 120 of 3,400 people were 18 to 24".split()
    numbers = [(1, 1970), (3, 120), (5, 3400), (8, 18), (10, 24)]
    seen = reversed_numbers(words, numbers, units_of(words, numbers))
    assert seen == tuple("In 1970 , 3400 of 120 people were 18 to 24".split())


@given(st.lists(st.integers(1, 999), min_size=1, max_size=8))
def test_numbers_change_places_along_the_line(values: list[int]) -> None:
    words = [word for value in values for word in (str(value), "%")]
    numbers = [(2 * place, value) for place, value in enumerate(values)]
    seen = reversed_numbers(words, numbers, units_of(words, numbers))
    made = [Fraction(word) for word in seen[::2]]
    assert [min(values) + max(values) - value for value in values] == made
    back = reversed_numbers(
        seen, [(2 * place, int(value)) for place, value in enumerate(made)], units_of(words, numbers)
    )
    assert list(back) == words
