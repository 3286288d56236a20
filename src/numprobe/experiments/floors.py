"""The cells that show what a score is worth: controls of the embedder, and what the string alone gives away."""

from numprobe.embedders.controls import controls_of
from numprobe.embedders.strings import STRINGS
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell


def floors(cell: Cell) -> list[Cell]:
    """The same cell for each control of its embedder and for each string baseline, where they make sense.

    >>> [floor.embedder for floor in floors(Cell.make("char-cnn", "decoding", "0:99"))]
    ['shuffled:of=char-cnn', 'length', 'first-digit', 'digit-one-hots', 'edit-distance']
    """
    made = []
    for name in (*controls_of(cell.embedder), *STRINGS):
        try:
            made.append(Cell.make(**{**cell.as_dict(), "embedder": name}))
        except NumprobeError:  # the probe can't read it, or it has too few numbers
            continue
    return [floor for floor in made if floor != cell]
