from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.labels import Labels, find_sums
from numprobe.drop.naqanet.reading import TRAINING_PASSAGE, to_learn

PASSAGE = (
    "The Storming of the Corport began on May 5, 1999. Gould kicked a 43-yard field goal, Akers a 20-yard kick; "
    "nineteen of 1,234 men and GOULD's three dogs saw Gould."
)


def labels(answer: GoldAnswer, question: str = "What?", passage: str = PASSAGE) -> Labels:
    readings = list(to_learn([Passage("p", passage, (Question("q", question, answer),))]))
    return readings[0].questions[0].labels if readings else Labels()


def texts(found: Sequence[tuple[int, int]], passage: str = PASSAGE) -> list[str]:
    (reading,) = to_learn([Passage("p", passage, (Question("q", "The ?", GoldAnswer(spans=("the",))),))])
    return [reading.tokens.between(first, last) for first, last in found]


def sums(answer: GoldAnswer) -> list[list[tuple[int, int]]]:
    """Signs and values of each sum."""
    values = (5, 1999, 43, 20, 19, 1234, 3)
    return [[(sign, values[place]) for place, sign in one] for one in labels(answer).sums]


def test_every_occurrence_counts_whatever_its_case() -> None:
    assert texts(labels(GoldAnswer(spans=("Gould",))).passage_spans) == ["Gould", "GOULD", "Gould"]


def test_articles_and_punctuation_are_skipped() -> None:
    assert texts(labels(GoldAnswer(spans=("storming of Corport!",))).passage_spans) == ["Storming of the Corport"]
    assert texts(labels(GoldAnswer(spans=("43-yard",))).passage_spans) == ["43-yard"]
    assert labels(GoldAnswer(spans=("storming Corport",))) == Labels()
    assert labels(GoldAnswer(spans=("!",))) == Labels()


def test_each_span_and_each_part_of_a_date_is_an_answer() -> None:
    assert texts(labels(GoldAnswer(spans=("Akers", "dogs", "nobody"))).passage_spans) == ["Akers", "dogs"]
    found = labels(GoldAnswer(date=("5", "May", "")))
    assert texts(found.passage_spans) == ["5", "May"]
    assert sums(GoldAnswer(date=("5", "May", ""))) == [[(1, 5)]]
    assert found.count is None


def test_a_question_can_hold_the_answer() -> None:
    found = labels(GoldAnswer(spans=("Hanson",)), "Who was longer, Hanson or Gould?")
    assert found == Labels(question_spans=((4, 4),))


def test_one_or_two_numbers_make_a_sum() -> None:
    assert sums(GoldAnswer(number="43")) == [[(1, 43)]]
    assert sums(GoldAnswer(number="23")) == [[(1, 43), (-1, 20)], [(1, 20), (1, 3)]]
    assert sums(GoldAnswer(number="1,234")) == [[(1, 1234)]]
    assert sums(GoldAnswer(number="62")) == [[(1, 43), (1, 19)]]
    assert sums(GoldAnswer(spans=("43",))) == []


def test_counts_are_small_whole_numbers() -> None:
    assert [labels(GoldAnswer(number=text)).count for text in ("0", "9", "10", "2.5")] == [0, 9, None, None]
    assert labels(GoldAnswer(spans=("3",))).count is None


def test_a_question_without_labels_is_left_out() -> None:
    questions = tuple(Question(text, "?", GoldAnswer(spans=(text,))) for text in ("Gould", "Hanson"))
    (reading,) = to_learn([Passage("p", PASSAGE, questions)])
    assert [question.id for question in reading.questions] == ["Gould"]
    assert not list(to_learn([Passage("p", PASSAGE, questions[1:])]))


def test_tokens_beyond_the_limit_have_no_labels() -> None:
    passage = "word " * TRAINING_PASSAGE + "Gould 7"
    assert labels(GoldAnswer(spans=("Gould",)), passage=passage) == Labels()
    assert labels(GoldAnswer(number="7"), passage=passage) == Labels(count=7)


@given(st.lists(st.integers(0, 12), max_size=6), st.integers(0, 20))
def test_every_sum_is_found_once(values: list[int], target: int) -> None:
    wanted = {
        tuple(zip(places, signs, strict=True))
        for size in (1, 2)
        for places in combinations(range(len(values)), size)
        for signs in product((1, -1), repeat=size)
        if sum(sign * values[place] for place, sign in zip(places, signs, strict=True)) == target
    }
    found = list(find_sums(values, target))
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_wide_numbers_reach_decimals_and_what_is_missing_to_100() -> None:
    text = "Twenty of 1,234 were German, 23.4% Irish and 12.2% Polish."

    def wide(question: str, number: str) -> tuple[object, ...]:
        asked = Question("q", question, GoldAnswer(number=number))
        for reading in to_learn([Passage("p", text, (asked,))], wide=True):
            assert reading.values == (100, 20, 1234, Decimal("23.4"), Decimal("12.2"))
            return reading.questions[0].labels.sums
        return ()

    assert wide("How many percent were not Irish?", "76.6") == (((0, 1), (3, -1)),)
    assert wide("How many were not Irish?", "76.6") == ()
    assert wide("How many percent were Irish or Polish?", "35.6") == (((3, 1), (4, 1)),)
    assert wide("How many were German?", "20") == (((1, 1),),)


def test_a_change_inside_the_model_keeps_text_and_labels(generated: tuple[Passage, ...]) -> None:
    plain = {question.id: question for reading in to_learn(generated) for question in reading.questions}
    readings = list(to_learn(generated, augment=True))
    copies = [reading for reading in readings if reading.seen != reading.tokens.words]
    assert len(copies) > len(generated) / 2
    for copy in copies:
        assert all(plain[question.id] == question for question in copy.questions)
        numbers = {place for place, _ in copy.numbers}
        changed = {
            place for place, (seen, word) in enumerate(zip(copy.seen, copy.tokens.words, strict=True)) if seen != word
        }
        assert changed <= numbers


def test_mirrored_comparisons_are_learned_in_all_four_ways() -> None:
    text = "There were 40 people and 12 families."
    asked = Question("1", "Which group is larger: families or people?", GoldAnswer(spans=("people",)))
    (reading,) = to_learn([Passage("p", text, (asked,))], mirror=True)
    answers = {" ".join(own.tokens.words): own.labels.passage_spans for own in reading.questions}
    assert answers == {
        "Which group is larger : families or people ?": ((3, 3),),
        "Which group is larger : people or families ?": ((3, 3),),
        "Which group is smaller : families or people ?": ((6, 6),),
        "Which group is smaller : people or families ?": ((6, 6),),
    }


def test_real_questions_have_labels(real_passages: tuple[Passage, ...]) -> None:
    some = real_passages[::20]
    asked = sum(len(passage.questions) for passage in some)
    labelled = sum(len(reading.questions) for reading in to_learn(some))
    # Sums of three numbers, percentages and 100 - x have none.
    assert 0.75 < labelled / asked < 0.85
