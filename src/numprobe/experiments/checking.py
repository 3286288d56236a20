"""Results from strangers: whether one is what it says, before anything is made of it."""

import math
from typing import Any

from numprobe.embedders import EMBEDDERS
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.registry import Spec
from numprobe.tasks import TASKS


def checked_cell(fields: Any) -> Cell:
    """The cell that these fields say, refused unless it is one that `Cell.make` makes."""
    cell = Cell(**fields)
    if not all(isinstance(value, int if name == "seeds" else str) for name, value in vars(cell).items()):
        raise NumprobeError("its cell holds something that is no text")
    registered = Spec.parse(cell.embedder).name in EMBEDDERS
    if not cell.embedder.isprintable() or Cell.make(**cell.as_dict(), registered=registered) != cell:
        raise NumprobeError("its cell is not written as numprobe writes it")
    return cell


def check_fields(cell: Cell, fields: dict[str, Any]) -> None:
    """Refuse what no run of the cell gives."""
    layers, predictions = fields["layers"], fields["predictions"]
    sound = (
        fields["metric"] == TASKS[Spec.parse(cell.task).name].metric
        and _numbers(fields["scores"])
        and fields["scores"]
        and _coverage(fields["coverage"])
        and isinstance(fields["choices"], list)
        and all(isinstance(choice, dict) for choice in fields["choices"])
        and isinstance(fields["made"], dict)
        and _numbers([fields["made"].get("seconds", 0.0)])
        and (predictions is None or (isinstance(predictions, list) and all(map(_numbers, predictions))))
        and _numbers(fields["missing"])
        and _numbers(fields["pieces"])
        and len(fields["pieces"]) in (0, fields["coverage"]["covered"])
        and isinstance(layers, list)
        and all(_numbers(layer) and layer for layer in layers)
    )
    if not sound:
        raise NumprobeError("its fields are not those of a result")


def _numbers(values: Any) -> bool:
    """Whether it is a list of finite numbers, also when squared; their sum stands for all of them."""
    if not isinstance(values, list) or not set(map(type, values)) <= {int, float}:
        return False
    try:
        return math.isfinite(sum(value * value for value in values))
    except OverflowError:  # a whole number beyond all floats
        return False


def _coverage(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"covered", "asked"}
        and all(type(count) is int and count >= 0 for count in value.values())
    )
