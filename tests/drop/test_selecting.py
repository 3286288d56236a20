import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import Answer, Passage, Question
from numprobe.drop.selecting import count, of_types, sampled
from numprobe.errors import NumprobeError

TEXTS = ("How many yards was the longest kick?", "Which kick was longer, the first or the second?", "Who won?")
PASSAGES = [
    Passage(f"p{number}", "…", tuple(Question(f"{number}-{place}", TEXTS[place], Answer("2")) for place in places))
    for number, places in enumerate([(0, 1, 2), (2,), (1, 2)])
]


def ids(passages: tuple[Passage, ...]) -> list[str]:
    return [question.id for passage in passages for question in passage.questions]


def test_questions_of_any_of_the_types() -> None:
    assert ids(of_types(PASSAGES, ["superlative"])) == ["0-0"]
    assert ids(of_types(PASSAGES, ["superlative", "comparative_binary"])) == ["0-0", "0-1", "2-1"]
    assert [passage.id for passage in of_types(PASSAGES, ["comparative"])] == ["p0", "p2"]


@given(st.integers(1, 10), st.integers(0, 5))
def test_a_sample_has_its_size_and_keeps_the_order(most: int, seed: int) -> None:
    chosen = sampled(PASSAGES, most, seed)
    assert count(chosen) == min(most, 6)
    assert ids(chosen) == sorted(ids(chosen))
    assert all(passage.questions for passage in chosen)
    assert chosen == sampled(PASSAGES, most, seed)


def test_samples_differ_by_seed() -> None:
    assert len({tuple(ids(sampled(PASSAGES, 3, seed))) for seed in range(10)}) > 3


def test_bad_choices() -> None:
    with pytest.raises(NumprobeError, match="did you mean 'superlative'"):
        of_types(PASSAGES, ["superlativ"])
    with pytest.raises(NumprobeError, match="no question is comparative_non_binary"):
        of_types(PASSAGES, ["comparative_non_binary"])
    with pytest.raises(NumprobeError, match="most must be at least 1, not 0"):
        sampled(PASSAGES, 0, 0)
