"""Which numbers there are, how they are written, and which of them train, choose and test."""

from numprobe.numbers.facts import Facts
from numprobe.numbers.forms import FORMS, Form, form_for, read, write
from numprobe.numbers.mentions import Mention, Texts, checked_template, in_template, write_mentions
from numprobe.numbers.ranges import LIMIT, Range, generator, integer_parts
from numprobe.numbers.splits import FOLDS, TRAIN_SHARE, Split, beginning, extrapolation, interpolation

__all__ = [
    "FOLDS",
    "FORMS",
    "LIMIT",
    "TRAIN_SHARE",
    "Facts",
    "Form",
    "Mention",
    "Range",
    "Split",
    "Texts",
    "beginning",
    "checked_template",
    "extrapolation",
    "form_for",
    "generator",
    "in_template",
    "integer_parts",
    "interpolation",
    "read",
    "write",
    "write_mentions",
]
