"""Change the numbers in the text itself, for any model, and carry over the answers that are known to follow.

Multiplying by one positive integer and adding another keeps the order of numbers, so whatever is longest, larger or
above a threshold stays so. Differences, sums and counts change: such questions are left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from numprobe.drop.changes import Change
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.quantities import has_unread_number, quantities, replaced
from numprobe.drop.question_types import SUPERLATIVES, question_types
from numprobe.errors import NumprobeError, at_least

UNREAD = "the passage has a number that can't be changed"
OTHER = "neither comparative nor superlative"
DATE = "the answer is a date"
DERIVED = "the question asks about a sum, a rate or a period of time"
COUNTING = "a number in the question counts things"
FOREIGN = "a number in the question is not in the passage"
COMPUTED = "the answer may be computed rather than taken from the passage"
NOT_FOUND = "the text does not contain the answer as given"

_DERIVING = frozenset(
    "combined total sum together altogether both difference differences differ rate rates increase increased decrease "
    "decreased decline declined drop dropped grew growth rose fell time period lasted last lasting tenure duration "
    "war wars siege reign career".split()
)
"""With any of these words, a question may compare values whose order the change does not keep: sums, ratios (changed by
adding), or periods of time (whose days and months are not changed)."""
_COMPUTING = _DERIVING | frozenset(
    "more less fewer larger smaller longer shorter higher lower than compared comparison "
    "between not without after before average per each".split()
)
"""With any of these words, the number asked for may be computed."""

_COUNTED = re.compile(r"\b(?:top|first|last|next|which|what)\s\Z", re.IGNORECASE)
_ABOVE = re.compile(r"\bthan\s\$?\Z", re.IGNORECASE)
_HOW = re.compile(r"\bhow\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many (yard|percent|met(?:er|re)|mile|kilomet|point|dollar|degree)", re.IGNORECASE)
_HOW_LONG = re.compile(r"^(how (?:long|far|high|tall|deep|wide)|what|which) (?:was|were|is|are)\b", re.IGNORECASE)
_WHICH_YEAR = re.compile(r"\b(?:which|what) years?\b", re.IGNORECASE)
_LENGTHS = "yard|foot|feet|inch|met(?:er|re)|mile|kilomet"


def change_text(change: Change, passages: Sequence[Passage], seed: int) -> tuple[tuple[Passage, ...], Counter[str]]:
    """Change every number in passages and questions; leave out questions without a known answer, and empty passages.

    Also return how many questions were left out for each reason.
    """
    at_least(0, seed=seed)
    if not any(quantities(passage.text) for passage in passages):
        raise NumprobeError("there is nothing to change: no passage has a number")
    left_out: Counter[str] = Counter()
    changed = []
    for passage in passages:
        try:
            moved = _Moved(passage, change, seed)
            carried = [moved.carried(question) for question in passage.questions]
        except NumprobeError as error:
            raise NumprobeError(f"passage {passage.id!r}: {error}") from error
        left_out.update(reason for reason in carried if isinstance(reason, str))
        questions = tuple(question for question in carried if isinstance(question, Question))
        if questions:
            changed.append(replace(passage, text=moved.after, questions=questions))
    return tuple(changed), left_out


class _Moved:
    """The text of a passage before and after its change."""

    def __init__(self, passage: Passage, change: Change, seed: int) -> None:
        self.rewriting = change.draw(seed, passage.id)
        self.keeps_values = change.in_words is not None
        self.before, self.after = passage.text, replaced(passage.text, self.rewriting)
        self.numbers = quantities(passage.text)
        self.is_all_read = not has_unread_number(passage.text)

    def carried(self, question: Question) -> Question | str:
        """The changed question with its answers, or the reason to leave it out."""
        obstacle = None if self.keeps_values else self._obstacle(question)
        if obstacle:
            return obstacle
        text = replaced(question.text, self.rewriting)
        annotations = (question.answer, *question.validated)
        answer, *validated = (self._carried_answer(annotation, question.text, text) for annotation in annotations)
        if isinstance(answer, str):
            return answer
        kept = tuple(annotation for annotation in validated if isinstance(annotation, GoldAnswer))
        return replace(question, text=text, answer=answer, validated=kept)

    def _obstacle(self, question: Question) -> str | None:
        """Why the answer to a question is unknown after its values have changed; None if it may be known."""
        if not question_types(question):
            return OTHER
        if not self.is_all_read:
            return UNREAD
        if _words(question.text) & _DERIVING:
            return DERIVED
        values = {number.value for number in self.numbers}
        for number in quantities(question.text):
            if number.text[0].isalpha() or _COUNTED.search(question.text[: number.start]):
                return COUNTING
            if number.value not in values and not _ABOVE.search(question.text[: number.start]):
                return FOREIGN
        return None

    def _carried_answer(self, answer: GoldAnswer, question: str, changed_question: str) -> GoldAnswer | str:
        if not answer.spans and self.keeps_values:
            return answer
        if any(answer.date):
            return DATE
        if not self.keeps_values and (answer.number or _HOW.search(question)) and not self._gives(answer, question):
            return COMPUTED
        if answer.number:
            return GoldAnswer(number=replaced(answer.number, self.rewriting))
        spans = tuple(replaced(span, self.rewriting) for span in answer.spans)
        texts = ((self.before, self.after), (question, changed_question))
        is_known = all(_follows(old, new, texts) for old, new in zip(answer.spans, spans, strict=True))
        return GoldAnswer(spans=spans) if is_known else NOT_FOUND

    def _gives(self, answer: GoldAnswer, question: str) -> bool:
        """Whether the numbers of an answer are in the passage, with the unit that the question asks for."""
        unit = _unit(question)
        given = {number.value for number in self.numbers if unit and unit.match(self.before, number.end)}
        asked = [number.value for part in (answer.number, *answer.spans) for number in quantities(part)]
        return all(value in given for value in asked) and (bool(asked) or not answer.number)


def _unit(question: str) -> re.Pattern[str] | None:
    """What follows, in the passage, the number that a question asks for; None if that number may be computed.

    >>> _unit("How many yards was the longest field goal?").pattern
    '[-\\\\s]?(?:yard)'
    """
    words = _words(question)
    if len(words & SUPERLATIVES) != 1 or words & _COMPUTING:
        return None
    if many := _HOW_MANY.search(question):
        unit = "%|percent" if many[1].lower() == "percent" else many[1].lower()
    elif _HOW_LONG.search(question):
        unit = _LENGTHS
    elif _WHICH_YEAR.search(question):
        unit = ""
    else:
        return None
    return re.compile(rf"[-\s]?(?:{unit})", re.IGNORECASE)


def _follows(old: str, new: str, texts: Sequence[tuple[str, str]]) -> bool:
    """Whether a span that was in a text is still there after the change; a span found nowhere must not change."""
    places = [after for before, after in texts if _has(before, old)]
    return any(_has(after, new) for after in places) if places else old == new


def _has(text: str, span: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(span)}(?!\w)", text) is not None


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))
