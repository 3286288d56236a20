import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.drop.data import Passage
from numprobe.drop.naqanet.vocabulary import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a 43-yard run", ["a", "43", "-", "yard", "run"]),
        ("won 20–17 in ~5  years", ["won", "20", "–", "17", "in", "~", "5", "years"]),
        ("Gould's 1,234 (5.5%).", ["Gould", "'s", "1,234", "(", "5.5", "%", ")", "."]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert list(tokenize(text).words) == words


@given(st.text(st.sampled_from("ab 1,.-–~'%$\n("), max_size=40))
def test_tokens_cover_everything_but_spaces(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens.words).split() == ["".join(text.split())] * bool(text.split())
    assert all(len(word) == 1 for word in tokens.words if re.search("[-–~]", word))


def test_answers_are_slices(generated: tuple[Passage, ...]) -> None:
    tokens = tokenize(generated[0].text)
    assert tokens.between(0, len(tokens.words) - 1) == generated[0].text
    assert tokenize(generated[0].text, 3).words == tokens.words[:3]
    assert tokenize(generated[0].text, 10_000) == tokens
