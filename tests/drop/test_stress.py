from dataclasses import replace
from statistics import stdev

import pytest

from numprobe.drop.changes import STRESS_TESTS
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.metric import gold_texts
from numprobe.drop.stress import ORIGINAL, Texts, compare_texts, stress_texts
from numprobe.errors import NumprobeError

LONGEST = Question("a", "How many yards was the longest field goal?", GoldAnswer(number="43"))
LONGER = Question("b", "Which kick was longer, that of Akers or Gould?", GoldAnswer(spans=("Akers",)))
HOW_MANY = Question("c", "How many kicks were there?", GoldAnswer(number="2"))
TEXT = "Akers made a 43-yard and Gould a 20-yard field goal."
PASSAGES = [Passage("p", TEXT, (LONGEST, LONGER, HOW_MANY)), Passage("q", TEXT, (replace(HOW_MANY, id="d"),))]


def right(texts: Texts) -> dict[str, dict[str, list[str]]]:
    return {
        name: {question.id: [*gold_texts(question.answer)] for passage in text for question in passage.questions}
        for name, text in texts.items()
    }


def test_every_text_has_the_same_questions_in_the_same_order() -> None:
    texts = stress_texts(STRESS_TESTS, tuple(generate(GeneratorSettings(passages=30))), seed=1)
    assert list(texts) == [ORIGINAL, *STRESS_TESTS]
    asked = [[(p.id, q.id, len(q.validated)) for p in text for q in p.questions] for text in texts.values()]
    assert len(asked[0]) > 30
    assert all(each == asked[0] for each in asked)
    assert all(row.em == 100 for rows in compare_texts(texts, right(texts)).values() for row in rows.values())


def test_a_question_that_one_change_loses_is_dropped_everywhere() -> None:
    texts = stress_texts(["digits-to-words", "multiply:low=3,high=3"], PASSAGES, seed=0)
    assert [question.id for passage in texts[ORIGINAL] for question in passage.questions] == ["a", "b"]
    assert texts["multiply:low=3,high=3"][0].text == "Akers made a 129-yard and Gould a 60-yard field goal."
    assert len(stress_texts(["digits-to-words"], PASSAGES, seed=0)[ORIGINAL]) == 2


def test_an_annotation_that_one_change_loses_is_dropped_everywhere() -> None:
    computed = replace(LONGEST, validated=(GoldAnswer(number="23"),))
    for validated, changes in ((0, ["digits-to-words", "add"]), (1, ["digits-to-words"])):
        texts = stress_texts(changes, [Passage("p", TEXT, (computed,))], seed=0)
        assert {len(text[0].questions[0].validated) for text in texts.values()} == {validated}


def test_differences_are_relative_to_the_original() -> None:
    texts = stress_texts(["add:low=5,high=5"], PASSAGES, seed=0)
    answers = {"a": "43", "b": "David Akers"}
    parts = compare_texts(texts, {ORIGINAL: answers, "add:low=5,high=5": answers})
    assert list(parts) == ["all", "superlative", "comparative"]
    before, after = parts["superlative"].values()
    assert (before.count, before.em, before.f1, before.em_difference) == (1, 100, 100, 0)
    assert (after.em, after.f1, after.em_difference, after.f1_difference) == (0, 0, -100, -100)
    assert parts["comparative"]["add:low=5,high=5"].f1 == parts["comparative"][ORIGINAL].f1 == 67
    assert parts["all"]["add:low=5,high=5"].f1_difference == -50


def test_the_standard_error_is_clustered_by_passage() -> None:
    def asked(passages: int, copies: int) -> list[Passage]:
        return [
            Passage(f"p{p}", TEXT, tuple(replace(LONGEST, id=f"{p}-{copy}") for copy in range(copies)))
            for p in range(passages)
        ]

    def error(passages: int, copies: int) -> float:
        texts = stress_texts(["add:low=5,high=5"], asked(passages, copies), seed=0)
        predictions = right(texts)
        for name in predictions["add:low=5,high=5"]:
            if name.startswith(("0-", "1-")):
                predictions["add:low=5,high=5"][name] = ["none"]
        return compare_texts(texts, predictions)["all"]["add:low=5,high=5"].f1_error

    differences = [-100, -100, 0, 0, 0, 0]
    assert error(6, 1) == pytest.approx(stdev(differences) * (5 / 6) ** 0.5 / 6**0.5)
    assert error(6, 4) == pytest.approx(error(6, 1))


def test_no_question_survives_every_change() -> None:
    with pytest.raises(NumprobeError, match="no question has a known answer after add and multiply"):
        stress_texts(["add", "multiply"], PASSAGES[1:], seed=0)


def test_a_passage_whose_numbers_become_too_large_is_left_out() -> None:
    large = Passage("large", "It cost nine hundred billion, the longest field goal was of 43 yards.", (LONGEST,))
    others = [Passage("p", TEXT, (LONGER,))]
    texts = stress_texts(["multiply:low=5,high=5"], [large, *others], seed=0)
    assert [passage.id for passage in texts[ORIGINAL]] == ["p"]
    with pytest.raises(NumprobeError, match="too large to write in words"):
        stress_texts(["multiply:low=5,high=5"], [large], seed=0)
