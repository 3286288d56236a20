from decimal import Decimal

import pytest

from numprobe.drop.data import Floors, GoldAnswer, Passage, Question, all_questions
from numprobe.drop.floors import floors_of
from numprobe.drop.formats import from_json, to_json
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.generator.facts import Fact, Query
from numprobe.drop.generator.floors import draw_floors
from numprobe.numbers import Range

KICKS = [Fact("kick", name, Decimal(value)) for name, value in (("A", 43), ("B", 47), ("C", 51), ("D", 9))]


@pytest.mark.parametrize(
    ("query", "guess", "digits"),
    [
        (Query("superlative_span", "kick", "entity", largest=True), 1 / 4, 1),  # 51 begins with 5
        (Query("superlative_span", "kick", "entity", largest=True, rank=2), 1 / 4, 1 / 2),  # 47 or 43
        (Query("superlative_number", "kick", largest=False), 1 / 4, 1),  # 9 has one digit
        (Query("comparative_binary", "kick", "entity", entities=("A", "B"), largest=True), 1 / 2, 1 / 2),
        (Query("comparative_binary", "kick", "entity", entities=("A", "D"), largest=True), 1 / 2, 1),
        (Query("comparative_non_binary", "kick", "entity", largest=True, bound=Decimal(45)), 1 / 15, 1 / 4),
        (Query("count", "kick", largest=True, bound=Decimal(45)), 1 / 3, 1 / 2),  # of 43 and 47 one is above
    ],
)
def test_floors_of_known_questions(query: Query, guess: float, digits: float) -> None:
    found = draw_floors(query, KICKS)
    assert found is not None
    assert (found.guess, found.digits) == pytest.approx((guess, digits))


def test_questions_that_compare_nothing_have_no_floor() -> None:
    assert draw_floors(Query("difference", "kick", entities=("A", "B")), KICKS) is None


@pytest.mark.parametrize("numbers", [None, Range.parse("1:99"), Range.parse("1:999")])
def test_digit_counts_do_not_solve_superlatives(numbers: Range | None) -> None:
    floors = floors_of(list(generate(GeneratorSettings(passages=100, range=numbers, seed=7))))
    assert floors["superlative"]["digits"] < 60
    wide = floors_of(list(generate(GeneratorSettings(passages=60, range=numbers, seed=7, narrow=0))))
    assert wide["superlative"]["digits"] > 75, "which is why there are narrow ranges"
    assert floors["all"] == {}


def test_a_random_number_of_the_passage_answers_some_real_superlatives() -> None:
    asked = Question("1", "How many yards was the longest kick?", GoldAnswer(number="43"))
    found = floors_of([Passage("p", "He kicked 43, 20, 17 and 43 yards.", (asked,))])
    assert found["superlative_number"] == {"random": 50.0}
    assert floors_of([Passage("p", "He kicked.", (asked,))])["superlative_number"] == {"random": 0.0}


def test_floors_survive_a_file() -> None:
    passages = tuple(generate(GeneratorSettings(passages=2)))
    assert from_json(to_json(passages), "here") == passages
    assert any(isinstance(question.floors, Floors) for question in all_questions(passages))
