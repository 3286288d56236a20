"""Comparative and superlative questions, recognised by the words of the question (Section 2.3)."""

import re
from collections.abc import Collection, Sequence

from numprobe.drop.data import GoldAnswer, Passage, Question, keep_questions
from numprobe.drop.quantities import quantities
from numprobe.errors import NumprobeError, one_of

ANSWER_TYPES = ("number", "span", "spans", "date")

COMPARATIVES = frozenset("larger bigger greater smaller longer shorter".split())
"""Words of size, following the paper's "larger", "smaller" and "longer". Its full lists are not published."""

SUPERLATIVES = frozenset(
    "largest biggest greatest smallest longest shortest highest lowest widest deepest tallest heaviest fastest slowest "
    "fewest earliest latest oldest youngest nearest closest farthest furthest cheapest strongest weakest".split()
)

QUESTION_TYPES = (
    "comparative",
    "comparative_binary",
    "comparative_non_binary",
    "superlative",
    "superlative_number",
    "superlative_span",
)

_THRESHOLD = re.compile(rf"(yards?|feet|miles|points|years|percent|%) or ({'|'.join(sorted(COMPARATIVES))})\b")
"""In "30 yards or longer", "or" does not offer a choice."""

_UNIT = re.compile(r"(-[a-z]+| ?%| (yards?|percent|pesos|dollars|points|miles|feet)\b|$)", re.IGNORECASE)
"""What follows the number in a measure: "43-yard field goal", "0.1%", "52 yards"."""


def answer_type(answer: GoldAnswer) -> str:
    """The member of `ANSWER_TYPES` that an annotation gives.

    >>> answer_type(GoldAnswer(spans=("Saints", "Browns")))
    'spans'
    """
    if answer.number:
        return "number"
    if answer.spans:
        return "span" if len(answer.spans) == 1 else "spans"
    return "date"


def question_types(question: Question) -> tuple[str, ...]:
    """The members of `QUESTION_TYPES` that apply, in that order; none for most questions.

    >>> question_types(Question("1", "Which group is larger: families or people?", GoldAnswer(spans=("people",))))
    ('comparative', 'comparative_binary')
    """
    text = question.text.lower()
    words = frozenset(re.findall(r"[a-z]+", text))
    found: list[str] = []
    if words & COMPARATIVES:
        is_choice = "or" in words and not _THRESHOLD.search(text)
        found += ["comparative", "comparative_binary" if is_choice else "comparative_non_binary"]
    if words & SUPERLATIVES:
        found.append("superlative")
        if question.answer.number or _is_measure(question.answer.spans):
            found.append("superlative_number")
        elif question.answer.spans:
            found.append("superlative_span")
    return tuple(found)


def of_types(passages: Sequence[Passage], types: Collection[str]) -> tuple[Passage, ...]:
    """Keep the questions of any of these types."""
    for name in types:
        one_of("question type", name, QUESTION_TYPES)
    kept = keep_questions(passages, lambda question: not set(types).isdisjoint(question_types(question)))
    if not kept:
        raise NumprobeError(f"no question is {' or '.join(types)}")
    return kept


def _is_measure(spans: tuple[str, ...]) -> bool:
    """Whether the answer is a number with its unit, such as "43-yard": many annotators marked numbers as spans."""
    if len(spans) != 1:
        return False
    found = quantities(spans[0])
    return len(found) == 1 and found[0].start == 0 and _UNIT.match(spans[0], found[0].end) is not None
