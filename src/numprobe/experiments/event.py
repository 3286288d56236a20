"""What a run tells of its cells."""

from dataclasses import dataclass
from typing import Literal

from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result


@dataclass(frozen=True)
class Event:
    """What a run says of a cell: it was found in the store, it starts, it is done, or it failed."""

    kind: Literal["found", "start", "done", "failed"]
    cell: Cell
    result: Result | None = None
    error: str = ""
