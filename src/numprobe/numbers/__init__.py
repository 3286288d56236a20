"""Which numbers there are, how they are written, and which of them train, choose and test."""

from numprobe.numbers.forms import FORMS, Form, form_for, read, write
from numprobe.numbers.ranges import LIMIT, Range, generator, integer_parts
from numprobe.numbers.splits import FOLDS, Split, extrapolation, interpolation

__all__ = [
    "FOLDS",
    "FORMS",
    "LIMIT",
    "Form",
    "Range",
    "Split",
    "extrapolation",
    "form_for",
    "generator",
    "integer_parts",
    "interpolation",
    "read",
    "write",
]
