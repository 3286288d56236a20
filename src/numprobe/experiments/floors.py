"""The cells that show what a score is worth: controls of the embedder, and what the string alone gives away."""

from typing import Any

from numprobe.embedders.bm25 import BM25
from numprobe.embedders.controls import controls_of
from numprobe.embedders.strings import strings_for
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import MISSING, Cell
from numprobe.registry import text_of

CEILING = "value"
"""The embedder whose vector is the number itself: what the probe makes of it, others can hardly surpass."""


def bounds(cell: Cell) -> list[Cell]:
    """The cells between whose scores a score lies: those of the string baselines, and of the value itself.

    >>> [bound.embedder for bound in bounds(Cell.make("random", "decoding", "0:99"))][::2]
    ['length', 'first-digit', 'digit-one-hots', 'edit-distance', 'value']
    """
    fields = cell.as_dict()
    return [
        made
        for name in (*strings_for((cell.parts.numbers, *cell.parts.tests)), CEILING)
        for way in MISSING
        for made in _made({**fields, "embedder": name, "missing": way})
    ]


def floors(cell: Cell) -> list[Cell]:
    """The same cell for each control of its embedder and for each string baseline, where they make sense.

    >>> [floor.embedder for floor in floors(Cell.make("char-cnn", "decoding", "0:99"))]
    ['shuffled:of=char-cnn', 'length', 'first-digit', 'digit-one-hots', 'edit-distance']
    """
    by_text = (BM25.name,) if cell.parts.task.has_query else strings_for((cell.parts.numbers, *cell.parts.tests))
    names = (*controls_of(cell.embedder), *by_text)
    made = [floor for name in names for floor in _made({**cell.as_dict(), "embedder": name})]
    if (blind := getattr(cell.parts.probe, "blind", None)) is not None:
        made += _made({**cell.as_dict(), "probe": text_of(blind)})
    return [floor for floor in made if floor != cell]


def _made(fields: dict[str, Any]) -> list[Cell]:
    """The cell with these fields, or nothing where its probe can't read the embedder, or it has too few numbers."""
    try:
        return [Cell.make(**fields)]
    except NumprobeError:
        return []
