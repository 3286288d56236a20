"""What is asked: list maximum, decoding, addition."""

from numprobe.tasks.base import Items, Metric, Part, Pool, Task
from numprobe.tasks.list_maximum import SAMPLERS, ListMaximum
from numprobe.tasks.regression import Addition, Decoding

TASKS: dict[str, type[ListMaximum] | type[Decoding] | type[Addition]] = {
    task.name: task for task in (ListMaximum, Decoding, Addition)
}

__all__ = ["SAMPLERS", "TASKS", "Addition", "Decoding", "Items", "ListMaximum", "Metric", "Part", "Pool", "Task"]
