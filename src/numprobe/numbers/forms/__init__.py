"""How a number is written: one file per family of forms."""

from collections.abc import Sequence

import numpy as np

from numprobe.errors import NumprobeError
from numprobe.numbers.forms.base import Form, Limits, natural_name, read
from numprobe.numbers.forms.plain import Digits, Negatives
from numprobe.numbers.forms.words import Words
from numprobe.numbers.ranges import Range
from numprobe.registry import Registry, name_of

__all__ = ["FORMS", "Form", "Limits", "Words", "form_for", "read", "write"]

FORMS: Registry[Form] = Registry(
    "form", "numprobe.numbers.forms", required=("name", "label", "write", "read", "problem")
)


def form_for(asked: "str | Form", ranges: Sequence[Range]) -> Form:
    """The form that is asked for, or the natural one of some ranges; refuse one that can't write their numbers.

    >>> [form_for("", [Range.parse(text)]).name for text in ("0:99", "-50:50", "0.0:99.9", "0.00:9.99")]
    ['digits', 'negatives', 'floats', 'decimals']
    """
    lowest, finest = min(ranges), max(ranges, key=lambda own: own.decimals)
    form = FORMS.part(asked or (natural_name(finest) if finest.decimals else Digits()))
    if form == Digits() and lowest.low < 0:
        form = Negatives()
    problem = form.problem(ranges)
    if problem:
        raise NumprobeError(problem)
    return form


def write(values: np.ndarray, form: Form) -> list[str]:
    """The text of each value.

    >>> write(np.array([-7, 75]), Words())
    ['minus seven', 'seventy-five']
    """
    texts = []
    for value in values.tolist():
        try:
            texts.append(form.write(value))
        except Exception as error:  # a form from elsewhere may raise anything
            raise NumprobeError(f"form '{name_of(form)}' can't write {value:g}: {error}") from error
    return texts
