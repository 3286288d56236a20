"""Transfer: train on one way of writing numbers, test on another, all against all."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.numbers.mentions import NUMBER


class Manner(NamedTuple):
    """How numbers are mentioned: in a form, and perhaps in a sentence."""

    form: str
    template: str = ""

    def __str__(self) -> str:
        return f"{self.form} in {self.template!r}" if self.template else self.form


def transfer_cells(manners: Sequence[Manner], **fields: Any) -> dict[tuple[Manner, Manner], Cell]:
    """A cell for each pair of a manner to learn from and one to test on; test numbers are held out in all of them.

    >>> cells = transfer_cells([Manner("digits"), Manner("words")], embedder="value", task="decoding", range="0:99")
    >>> [cell.where for cell in cells.values()]
    ['[0,99]', '[0,99] → in words', '[0,99] in words → in digits', '[0,99] in words']
    """
    if len(set(manners)) < 2:
        raise NumprobeError("transfer needs two ways of writing numbers: name more forms or templates")
    return {
        (learn, test): Cell.make(
            **fields,
            form=learn.form,
            template=learn.template,
            test_form=test.form,
            test_template=test.template or NUMBER,
        )
        for learn, test in product(dict.fromkeys(manners), repeat=2)
    }
