"""Checks of stored results, which may be a stranger's: every field is what a run of the cell gives."""

import math
from dataclasses import dataclass
from typing import Any

from numprobe.embedders import EMBEDDERS
from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.registry import Spec


@dataclass(frozen=True)
class _Unknown:
    """An embedder of which only the name is left."""

    name: str
    version: str


def checked_cell(fields: Any, version: str) -> Cell:
    """Refuse fields that no `Cell.make` gives."""
    if not isinstance(fields, dict) or not all(
        isinstance(value, int if name == "seeds" else str) for name, value in fields.items()
    ):
        raise NumprobeError("its cell holds something other than text")
    own = dict(fields)
    embedder = own.pop("embedder")
    known = Spec.parse(embedder).name in EMBEDDERS
    cell = Cell.make(embedder if known else _Unknown(embedder, version), **own)
    if not cell.embedder.isprintable() or cell.as_dict() != {"embedder": embedder, **own}:
        raise NumprobeError("its cell is not spelt as numprobe spells it")
    return cell


def check_fields(cell: Cell, fields: dict[str, Any]) -> None:
    """Refuse fields that no run of the cell gives."""
    scores, layers, more = fields["scores"], fields["layers"], fields["more"]
    predictions, coverage, by_layer = fields["predictions"], fields["coverage"], fields["more_by_layer"]
    sound = (
        fields["metric"] == cell.parts.task.metric
        and _are_numbers(scores)
        and scores
        and isinstance(coverage, dict)
        and coverage.keys() == {"covered", "asked"}
        and all(type(count) is int and count >= 0 for count in coverage.values())
        and isinstance(fields["choices"], list)
        and all(isinstance(choice, dict) for choice in fields["choices"])
        and isinstance(fields["made"], dict)
        and _are_numbers([fields["made"].get(name, 0.0) for name in ("seconds", "cpu_seconds")])
        and (predictions is None or (isinstance(predictions, list) and all(map(_are_numbers, predictions))))
        and _are_numbers(fields["missing"])
        and _are_numbers(fields["pieces"])
        and len(fields["pieces"]) in (0, coverage["covered"])
        and _are_layers(layers, scores)
        and isinstance(more, dict)
        and all(isinstance(name, str) for name in more)
        and all(_are_numbers(own) and len(own) == len(scores) for own in more.values())
        and isinstance(by_layer, dict)
        and all(isinstance(name, str) for name in by_layer)
        and all(_are_layers(own, scores) and len(own) == len(layers) for own in by_layer.values())
    )
    if not sound:
        raise NumprobeError("its fields are not those of a result")


def _are_layers(values: Any, scores: Any) -> bool:
    """Whether it is a list of layers, each with as many numbers as there are scores."""
    return isinstance(values, list) and all(_are_numbers(layer) and len(layer) == len(scores) for layer in values)


def _are_numbers(values: Any) -> bool:
    """Whether it is a list of numbers that are finite, also when squared; their sum stands for all of them."""
    if not isinstance(values, list) or not set(map(type, values)) <= {int, float}:
        return False
    try:
        return math.isfinite(sum(value * value for value in values))
    except OverflowError:  # a whole number beyond all floats
        return False
