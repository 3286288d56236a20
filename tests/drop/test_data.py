import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import GoldAnswer, Passage, Question, count_questions, sample_questions, split_passages
from numprobe.drop.question_types import of_types
from numprobe.errors import NumprobeError

TEXTS = ("How many yards was the longest kick?", "Which kick was longer, the first or the second?", "Who won?")
PASSAGES = [
    Passage(f"p{number}", "…", tuple(Question(f"{number}-{place}", TEXTS[place], GoldAnswer("2")) for place in places))
    for number, places in enumerate([(0, 1, 2), (2,), (1, 2)])
]


def ids(passages: tuple[Passage, ...]) -> list[str]:
    return [question.id for passage in passages for question in passage.questions]


def test_questions_are_selected_by_type() -> None:
    assert ids(of_types(PASSAGES, ["superlative"])) == ["0-0"]
    assert ids(of_types(PASSAGES, ["superlative", "comparative_binary"])) == ["0-0", "0-1", "2-1"]
    assert [passage.id for passage in of_types(PASSAGES, ["comparative"])] == ["p0", "p2"]


@given(st.integers(1, 10), st.integers(0, 5))
def test_a_sample_has_the_right_size_and_order(most: int, seed: int) -> None:
    chosen = sample_questions(PASSAGES, most, seed)
    assert count_questions(chosen) == min(most, 6)
    assert ids(chosen) == sorted(ids(chosen))
    assert all(passage.questions for passage in chosen)
    assert chosen == sample_questions(PASSAGES, most, seed)


def test_samples_differ_by_seed() -> None:
    assert len({tuple(ids(sample_questions(PASSAGES, 3, seed))) for seed in range(10)}) > 3


def test_bad_choices() -> None:
    with pytest.raises(NumprobeError, match="did you mean 'superlative'"):
        of_types(PASSAGES, ["superlativ"])
    with pytest.raises(NumprobeError, match="no question is comparative_non_binary"):
        of_types(PASSAGES, ["comparative_non_binary"])
    with pytest.raises(NumprobeError, match="most must be at least 1, not 0"):
        sample_questions(PASSAGES, 0, 0)


def test_a_split_keeps_passages_whole() -> None:
    passages = [Passage(str(n), "text", ()) for n in range(10)]
    train, test = split_passages(passages, 0.8, seed=0)
    assert (len(train), len(test)) == (8, 2)
    assert sorted((*train, *test), key=lambda passage: int(passage.id)) == passages
    assert split_passages(passages, 0.8, seed=0) == (train, test) != split_passages(passages, 0.8, seed=1)
    for share, count in ((0.0, 10), (1.5, 10), (0.1, 2)):
        with pytest.raises(NumprobeError):
            split_passages(passages[:count], share, seed=0)
    with pytest.raises(NumprobeError, match="seed must be at least 0"):
        split_passages(passages, 0.8, seed=-1)
