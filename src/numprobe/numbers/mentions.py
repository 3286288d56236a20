"""A mention: one number, written one way, perhaps inside a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import shortened
from numprobe.numbers.forms import Form, write

NUMBER = "{number}"
"""Where a sentence has its number."""

LONGEST_TEMPLATE = 2000


@dataclass(frozen=True)
class Mention:
    """One number, written one way, perhaps inside a sentence; where the sentence has more numbers, one of them.

    >>> Mention((250.0, 350.0), "phones between {number} and {number} dollars", at=1).values[1]
    350.0
    """

    values: tuple[float, ...]
    sentence: str = NUMBER
    """A text with one `{number}` for each value."""
    form: Form | None = None
    """How its numbers are written; None as the cell says."""
    at: int = 0
    """Which of its numbers is read."""


@dataclass(frozen=True)
class Texts:
    """Mentions as an embedder reads them.

    >>> one = Texts(np.array([7.0]), ["7"], ["7"])
    >>> other = Texts(np.array([8.0]), ["8"], ["about 8"], [(6, 7)])
    >>> (one + other).spans
    [(0, 1), (6, 7)]
    """

    values: np.ndarray
    numbers: Sequence[str]
    """Each number on its own."""
    sentences: Sequence[str]
    """The same inside its sentence."""
    spans: Sequence[tuple[int, int]] = ()
    """Where the numbers begin and end; empty if there is nothing around them."""

    def __add__(self, other: "Texts") -> "Texts":
        spans = [*self._all_spans(), *other._all_spans()] if self.spans or other.spans else ()
        return Texts(
            np.concatenate((self.values, other.values)),
            [*self.numbers, *other.numbers],
            [*self.sentences, *other.sentences],
            spans,
        )

    def _all_spans(self) -> Iterator[tuple[int, int]]:
        yield from self.spans or ((0, len(text)) for text in self.sentences)


def checked_template(template: str) -> str:
    """A template with one `{number}`; empty for the number alone.

    >>> checked_template("It costs {number} dollars."), checked_template("{number}")
    ('It costs {number} dollars.', '')
    """
    if template in ("", NUMBER):
        return ""
    if template.count(NUMBER) != 1:
        raise NumprobeError(f"template {shortened(template)} must have one {NUMBER}, as 'It costs {NUMBER} dollars.'")
    if len(template) > LONGEST_TEMPLATE or not template.isprintable():
        raise NumprobeError(f"template {shortened(template)} must be one line of at most {LONGEST_TEMPLATE} characters")
    return template


def in_template(values: np.ndarray, form: Form, template: str) -> Texts:
    """Every value in one form and one sentence.

    >>> from numprobe.numbers import FORMS
    >>> texts = in_template(np.array([75.0]), FORMS.build("words"), "It costs {number} dollars.")
    >>> texts.sentences, texts.spans
    (['It costs seventy-five dollars.'], [(9, 21)])
    """
    numbers = write(values, form)
    if not template:
        return Texts(values, numbers, numbers)
    before, _, after = template.partition(NUMBER)
    sentences = [before + number + after for number in numbers]
    return Texts(values, numbers, sentences, [(len(before), len(before) + len(number)) for number in numbers])


def write_mentions(mentions: Sequence[Mention], form: Form) -> Texts:
    """Write each mention in its own form, or in the given one.

    >>> from numprobe.numbers import FORMS
    >>> mention = Mention((2.0, 9.0), "from {number} to {number}", at=1)
    >>> texts = write_mentions([mention], FORMS.build("words"))
    >>> texts.sentences, texts.numbers, texts.spans
    (['from two to nine'], ['nine'], [(12, 16)])
    """
    numbers, sentences, spans = [], [], []
    for mention in mentions:
        written = write(np.array(mention.values), mention.form or form)
        sentence = ""
        for place, part in enumerate(mention.sentence.split(NUMBER)):
            sentence += part
            if place < len(written):
                if place == mention.at:
                    spans.append((len(sentence), len(sentence) + len(written[place])))
                sentence += written[place]
        numbers.append(written[mention.at])
        sentences.append(sentence)
    return Texts(np.array([mention.values[mention.at] for mention in mentions]), numbers, sentences, spans)
