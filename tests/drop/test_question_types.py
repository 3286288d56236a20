from collections import Counter

import pytest

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.question_types import QUESTION_TYPES, answer_type, question_types

PAPER = {
    "comparative": 704,
    "comparative_binary": 477,
    "comparative_non_binary": 227,
    "superlative": 861,
    "superlative_number": 475,
    "superlative_span": 380,
}
NUMBER, SPAN = GoldAnswer(number="43"), GoldAnswer(spans=("Akers",))


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("Which country is a bigger exporter, Brazil or Uruguay?", SPAN, ["comparative", "comparative_binary"]),
        ("Which player had a touchdown longer than 20 yards?", SPAN, ["comparative", "comparative_non_binary"]),
        ("How many touchdowns were 20 yards or longer?", NUMBER, ["comparative", "comparative_non_binary"]),
        ("How many yards was the SHORTEST field goal?", NUMBER, ["superlative", "superlative_number"]),
        ("What was the longest field goal?", GoldAnswer(spans=("43-yard",)), ["superlative", "superlative_number"]),
        ("What were the longest field goals?", GoldAnswer(spans=("43-yard", "2")), ["superlative", "superlative_span"]),
        ("Which age group is the largest?", GoldAnswer(spans=("25 to 44",)), ["superlative", "superlative_span"]),
        ("Who kicked the longest field goal?", SPAN, ["superlative", "superlative_span"]),
        ("Which was the earliest?", GoldAnswer(date=("", "May", "1999")), ["superlative"]),
        ("Who scored first, the Saints or the Browns?", SPAN, []),
        ("Which tests did the harvest in the west need?", SPAN, []),
    ],
)
def test_types_of_questions(text: str, answer: GoldAnswer, expected: list[str]) -> None:
    assert list(question_types(Question("1", text, answer))) == expected


def test_answer_types() -> None:
    answers = [NUMBER, SPAN, GoldAnswer(spans=("a", "b")), GoldAnswer(date=("", "", "1999"))]
    assert [answer_type(answer) for answer in answers] == ["number", "span", "spans", "date"]


def test_real_counts_are_close_to_those_in_the_paper(real_passages: tuple[Passage, ...]) -> None:
    counts = Counter(name for passage in real_passages for asked in passage.questions for name in question_types(asked))
    assert set(counts) == set(QUESTION_TYPES) == set(PAPER)
    for name, count in PAPER.items():
        assert abs(counts[name] - count) <= 0.05 * count, name
