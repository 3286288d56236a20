import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop import carrying
from numprobe.drop.carrying import change_text
from numprobe.drop.changes import Change, load_change
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.quantities import replaced
from numprobe.drop.question_types import question_types
from numprobe.errors import NumprobeError

TEXT = (
    "In 1999, Akers made a 43-yard and a 20-yard field goal, Gould a 1-yard run. Of 4,000 people 25.5% were 25 to 44."
)
ADD_TEN = Change(plus=(10, 10))


def carried(text: str, answer: GoldAnswer, change: str | None = None, passage: str = TEXT) -> Question | str:
    """The question after the change, or the reason why it is left out."""
    asked = Passage("p", passage, (Question("q", text, answer),))
    passages, left_out = change_text(load_change(change or "add:low=10,high=10"), [asked], 0)
    return passages[0].questions[0] if passages else next(iter(left_out))


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("How many yards was the longest field goal?", GoldAnswer(number="43"), GoldAnswer(number="53")),
        ("How long was the longest field goal?", GoldAnswer(spans=("43-yard",)), GoldAnswer(spans=("53-yard",))),
        ("Who made the longest field goal?", GoldAnswer(spans=("Akers",)), GoldAnswer(spans=("Akers",))),
        ("Which age group was the largest?", GoldAnswer(spans=("25 to 44",)), GoldAnswer(spans=("35 to 54",))),
        (
            "Which was longer, a run or a field goal?",
            GoldAnswer(spans=("field goal",)),
            GoldAnswer(spans=("field goal",)),
        ),
        ("Which year had the fewest runs?", GoldAnswer(number="1999"), GoldAnswer(number="2009")),
    ],
)
def test_answers_that_are_carried_over(text: str, answer: GoldAnswer, expected: GoldAnswer) -> None:
    question = carried(text, answer)
    assert isinstance(question, Question)
    assert question.answer == expected


@pytest.mark.parametrize(
    ("text", "answer", "reason"),
    [
        ("Who kicked first?", GoldAnswer(spans=("Akers",)), carrying.OTHER),
        ("How many yards was the longest kick than the shortest?", GoldAnswer(number="43"), carrying.COMPUTED),
        ("How many yards longer was the first kick?", GoldAnswer(number="23"), carrying.COMPUTED),
        ("How many kickers made the longest kick?", GoldAnswer(number="1"), carrying.COMPUTED),  # 1 is in the passage
        ("How many kicks were longer than 20 yards?", GoldAnswer(number="1"), carrying.COMPUTED),
        ("How many yards was the longest pass?", GoldAnswer(number="44"), carrying.COMPUTED),  # a 44, but no 44 yards
        ("How many yards was the longest kick?", GoldAnswer(number="many"), carrying.COMPUTED),
        ("How many yards were the two longest kicks?", GoldAnswer(spans=("43", "20")), carrying.COUNTING),
        ("Which were the top 20 smallest groups?", GoldAnswer(spans=("a", "b")), carrying.COUNTING),
        ("Which was larger in 2010, runs or kicks?", GoldAnswer(spans=("runs",)), carrying.FOREIGN),
        ("Which was larger, runs or both kicks combined?", GoldAnswer(spans=("runs",)), carrying.DERIVED),
        ("Which war lasted longer, that of 1999 or that of 4,000?", GoldAnswer(spans=("1999",)), carrying.DERIVED),
        ("Which day was the earliest?", GoldAnswer(date=("", "", "1999")), carrying.DATE),
        ("Which age group was the largest?", GoldAnswer(spans=("25-44",)), carrying.NOT_FOUND),
    ],
)
def test_answers_that_are_left_out(text: str, answer: GoldAnswer, reason: str) -> None:
    assert carried(text, answer) == reason


def test_a_passage_with_an_unreadable_number_is_left_out() -> None:
    question = "Who had the shortest run?", GoldAnswer(spans=("Gould",))
    assert carried(*question, passage="Gould had a 1-yard and Lee a3-yard run") == carrying.UNREAD


def test_thresholds_change_with_the_passage() -> None:
    question = carried(
        "Which player had a kick longer than 22 yards?", GoldAnswer(spans=("Akers",)), "multiply:low=3,high=3"
    )
    assert isinstance(question, Question)
    assert question.text == "Which player had a kick longer than 66 yards?"


def test_words_keep_every_value() -> None:
    question = carried(
        "How many yards longer was the first kick?", GoldAnswer(number="23"), "digits-to-words:low=21,high=100"
    )
    assert isinstance(question, Question)
    assert question.answer == GoldAnswer(number="23")
    question = carried("Which groups?", GoldAnswer(spans=("25 to 44",)), "digits-to-words:low=21,high=100")
    assert isinstance(question, Question)
    assert question.answer == GoldAnswer(spans=("twenty-five to forty-four",))


def test_annotations_with_unknown_answers_are_dropped() -> None:
    asked = Question(
        "q",
        "How many yards was the longest kick?",
        GoldAnswer(number="43"),
        (GoldAnswer(number="63"), GoldAnswer(number="20")),
    )
    (passage,), _ = change_text(ADD_TEN, [Passage("p", TEXT, (asked,))], 0)
    assert passage.questions[0].validated == (GoldAnswer(number="30"),)


def test_numbers_that_cannot_be_changed() -> None:
    with pytest.raises(NumprobeError, match="no passage has a number"):
        change_text(ADD_TEN, [Passage("p", "nothing here", ())], 0)
    with pytest.raises(NumprobeError, match=r"passage 'p': '1999' becomes 1,999,000,000,000,000"):
        change_text(Change(times=(10**12, 10**12)), [Passage("p", TEXT, ())], 0)
    with pytest.raises(NumprobeError, match="too large to write in words"):
        change_text(Change(plus=(10**12, 10**12)), [Passage("p", "seven men", ())], 0)


@given(
    st.lists(st.integers(0, 10**6), min_size=2, max_size=6, unique=True),
    st.sampled_from(["add:low=1,high=100", "multiply:low=2,high=100", "bigger", "augmentation"]),
    st.integers(0, 1000),
)
def test_a_solver_that_reads_the_changed_text_agrees(yards: list[int], change: str, seed: int) -> None:
    """The solver shares nothing with the package: it reads kicks from the text with its own pattern."""
    names = "Akers Brown Carney Dawson Elam Folk".split()[: len(yards)]

    def solve(text: str, question: str) -> str:
        kicks = {name: int(digits) for name, digits in re.findall(r"(\w+) kicked a (\d+)-yard", text)}
        most = (max if "longest" in question else min)(kicks, key=lambda name: kicks[name])
        return str(kicks[most]) if question.startswith("How") else most

    text = ". ".join(f"{name} kicked a {count}-yard field goal" for name, count in zip(names, yards, strict=True))
    questions = [
        f"{start} the {most} field goal?"
        for start in ("How many yards was", "Who kicked")
        for most in ("longest", "shortest")
    ]
    answers = [solve(text, asked) for asked in questions]
    passage = Passage(
        "p",
        text,
        tuple(
            Question(asked, asked, GoldAnswer(number=answer) if answer.isdigit() else GoldAnswer(spans=(answer,)))
            for asked, answer in zip(questions, answers, strict=True)
        ),
    )
    (changed,), _ = change_text(load_change(change), [passage], seed)
    assert len(changed.questions) == len(questions)
    for question in changed.questions:
        answer = question.answer.number or question.answer.spans[0]
        assert answer == solve(changed.text, question.text)


@pytest.mark.parametrize("spec", ["add:low=21,high=100", "bigger"])
def test_real_passages(real_passages: tuple[Passage, ...], spec: str) -> None:
    change = load_change(spec)
    passages, left_out = change_text(change, real_passages, 0)
    before = {passage.id: passage for passage in real_passages}
    asked = sum(len(passage.questions) for passage in real_passages)
    kept = sum(len(passage.questions) for passage in passages)
    assert kept + left_out.total() == asked
    assert kept > 1000
    for passage in passages:
        rewriting = change.draw(0, passage.id)
        assert passage.text == replaced(before[passage.id].text, rewriting) != before[passage.id].text
        assert all(question_types(question) for question in passage.questions)
