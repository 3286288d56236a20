"""Values, ranges, surface forms, and splits into training, development and test numbers."""

from numprobe.numbers.forms import FORMS, check_form, natural_form, read, write
from numprobe.numbers.ranges import LIMIT, Range
from numprobe.numbers.seeds import generator
from numprobe.numbers.splits import Split, extrapolation, interpolation

__all__ = [
    "FORMS",
    "LIMIT",
    "Range",
    "Split",
    "check_form",
    "extrapolation",
    "generator",
    "interpolation",
    "natural_form",
    "read",
    "write",
]
