import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.changes import (
    CHANGES,
    STRESS_TESTS,
    Change,
    load_change,
    seen_tokens,
)
from numprobe.drop.data import Passage
from numprobe.drop.formats import to_json
from numprobe.drop.quantities import Quantity, token_value
from numprobe.errors import NumprobeError

EVERY_CHANGE = (*STRESS_TESTS, "bigger", "augmentation")


def tokens(text: str) -> list[str]:
    return re.findall(r"[\w,]*\w|\S", text)


def test_the_model_sees_changed_number_tokens() -> None:
    text = "Two men and nineteen of 1,234 ran 5.5 miles on the 3rd of 2001"
    words = tokens(text)
    seen = seen_tokens(Change(times=(3, 3)).draw(0, "p"), words, map(token_value, words))
    assert " ".join(seen) == "Two men and fifty-seven of 3,702 ran 15 . 15 miles on the 3rd of 6003"


def test_number_words_are_one_token() -> None:
    seen = seen_tokens(Change(in_words=(21, 100)).draw(0, "p"), ["75", "100", "20", "101"], [75, 100, 20, 101])
    assert seen == ("seventy-five", "one-hundred", "20", "101")


@pytest.mark.parametrize("spec", EVERY_CHANGE)
def test_one_integer_per_passage_and_seed(spec: str) -> None:
    change = load_change(spec)

    def seen(seed: int, passage: str) -> str:
        rewriting = change.draw(seed, passage)
        return rewriting(Quantity(0, 1, "7", 7)) + rewriting(Quantity(0, 2, "70", 70))

    assert seen(0, "a") == seen(0, "a")
    if not change.in_words:
        assert len({seen(seed, passage) for seed in range(5) for passage in "abcde"}) > 3


@given(st.integers(0, 2**32), st.integers(0, 10**6))
def test_ranges_of_the_changes(seed: int, value: int) -> None:
    def changed(name: str) -> int:
        return int(load_change(name).draw(seed, "p")(Quantity(0, 1, str(value), value)))

    assert value + 1 <= changed("add") <= value + 20
    assert value * 11 <= changed("multiply:low=11,high=100") <= value * 100
    assert value * 11 + 21 <= changed("bigger") <= value * 20 + 40
    assert value <= changed("augmentation") <= value * 10 + 20


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ad", "unknown change 'ad'; did you mean 'add'"),
        ("add:low=0", "add:low must be at least 1"),
        ("multiply:low=20", "low 20 is above high 10"),
        ("multiply:high=10000000000000000", "multiply:high must be at most 1,000,000,000"),
        ("digits-to-words:low=x", "must be a whole number"),
        ("bigger:low=3", "has no settings"),
    ],
)
def test_bad_specs(spec: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=re.escape(message)):
        load_change(spec)


def test_the_rows_of_the_paper() -> None:
    assert load_change(STRESS_TESTS[0]) == Change(plus=(1, 20))
    assert load_change(STRESS_TESTS[3]) == Change(times=(11, 100))
    assert load_change("bigger") == Change(times=(11, 20), plus=(21, 40))
    assert set(CHANGES) == {"add", "multiply", "digits-to-words", "bigger", "augmentation"}


def test_changes_leave_real_texts_alone(real_passages: tuple[Passage, ...]) -> None:
    before = to_json(real_passages)
    changed: Counter[str] = Counter()
    for passage in real_passages:
        words = tokens(passage.text)
        for spec in EVERY_CHANGE:
            seen = seen_tokens(load_change(spec).draw(0, passage.id), words, map(token_value, words))
            changed[spec] += sum(new != word for new, word in zip(seen, words, strict=True))
    assert min(changed[spec] for spec in EVERY_CHANGE) > 1000
    assert to_json(real_passages) == before
