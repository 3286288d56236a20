"""What is asked about numbers: one file per task."""

from numprobe.registry import Registry
from numprobe.tasks.base import Answer, Items, Part, Pool, Task

TASKS: Registry[Task] = Registry(
    "task", "numprobe.tasks", required=("name", "answer", "arity", "probe", "metric", "needs", "draw")
)

__all__ = ["TASKS", "Answer", "Items", "Part", "Pool", "Task"]
