"""Numbers inside sentences, and where they stand there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.errors import NumprobeError
from numprobe.numbers import FORMS, Mention, checked_template, in_template, write_mentions

WORDS = FORMS.build("words")


LETTERS = st.text("abc .,5", max_size=20)


@settings(deadline=None)  # the first imports num2words
@given(LETTERS, LETTERS, st.integers(-999, 999))
def test_the_span_holds_the_number(before: str, after: str, value: int) -> None:
    texts = in_template(np.array([float(value)]), WORDS, f"{before}{{number}}{after}.")
    ((start, end),) = texts.spans
    assert texts.sentences[0][start:end] == texts.numbers[0] == WORDS.write(value)
    assert texts.sentences[0] == f"{before}{WORDS.write(value)}{after}."


def test_each_of_two_numbers_is_read_in_its_place_and_form() -> None:
    sentence = "between {number} and {number}."
    mentions = [Mention((2.0, 30.0), sentence), Mention((2.0, 30.0), sentence, WORDS, at=1), Mention((7.0,))]
    texts = write_mentions(mentions, FORMS.build("digits"))
    assert texts.sentences == ["between 2 and 30.", "between two and thirty.", "7"]
    assert texts.numbers == ["2", "thirty", "7"]
    assert texts.values.tolist() == [2.0, 30.0, 7.0]
    assert [text[slice(*span)] for text, span in zip(texts.sentences, texts.spans, strict=True)] == texts.numbers


def test_numbers_alone_and_in_sentences_together() -> None:
    alone, inside = (in_template(np.array([5.0]), WORDS, template) for template in ("", "It is {number}."))
    assert (alone + alone).spans == ()
    assert (alone + inside).spans == [(0, 4), (6, 10)]


@pytest.mark.parametrize("template", ["It costs 5 dollars.", "{number} and {number}", "{number}\n", "{number}" * 300])
def test_templates_that_are_refused(template: str) -> None:
    with pytest.raises(NumprobeError, match="must "):
        checked_template(template)
