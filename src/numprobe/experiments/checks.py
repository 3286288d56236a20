"""Whether the parts of a cell fit together, and its numbers are enough."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numprobe.embedders import encoder, is_learned
from numprobe.errors import NumprobeError
from numprobe.experiments.selection import Selection
from numprobe.numbers import LIMIT, Facts, Range
from numprobe.numbers.forms.plain import Digits
from numprobe.probes import PROBES
from numprobe.registry import text_of
from numprobe.tasks import Answer, Task

if TYPE_CHECKING:
    from numprobe.experiments.cell import Cell


def check_cell(cell: "Cell") -> None:
    """Refuse parts that don't fit together, and numbers that are too few."""
    task, numbers, tests, probe = cell.parts.task, cell.parts.numbers, cell.parts.tests, cell.parts.probe
    if task.answer not in probe.answers:
        fitting = [name for name in PROBES if _fits(name, task, [numbers, *tests])]
        several = ", ".join(fitting[:-1])
        raise NumprobeError(
            f"probe '{cell.probe}' can't answer task '{task.name}', which asks for a {task.answer.value}: "
            f"use {f'{several} or ' if several else ''}{''.join(fitting[-1:]) or 'one of your own'}"
        )
    if problem := _misfit(probe, task, [numbers, *tests]):
        raise NumprobeError(f"probe '{cell.probe}' can't answer task '{task.name}' on {cell.where}: {problem}")
    in_words = getattr(probe, "asks_in_words", False)
    if in_words and hasattr(cell.parts.embedder, "encode") and not hasattr(cell.parts.embedder, "speaker"):
        raise NumprobeError(
            f"embedder '{cell.embedder}' can't be asked in words, as probe '{cell.probe}' does: name a causal "
            "language model, or endpoint:url=…,model=…"
        )
    if in_words and (cell.mentions_otherwise or isinstance(numbers, Facts)):
        raise NumprobeError(
            f"probe '{cell.probe}' writes its own questions: leave out facts, template, test form and the like"
        )
    if cell.parts.metric.answer is not task.answer:
        raise NumprobeError(f"metric '{task.metric}' of task '{task.name}' can't score a {task.answer.value}")
    if not probe.trains_embedders and is_learned(encoder(cell.parts.embedder)):
        raise NumprobeError(
            f"embedder '{cell.embedder}' learns with its probe, and probe '{cell.probe}' can't train it: use "
            f"{task.probe}"
        )
    if probe.needs_query and not task.has_query:
        raise NumprobeError(f"probe '{cell.probe}' compares a query with others, and task '{task.name}' has none")
    if task.writes_sentences and cell.mentions_otherwise:
        raise NumprobeError(f"task '{task.name}' writes its own sentences: leave out template, test form and the like")
    if task.writes_sentences and is_learned(encoder(cell.parts.embedder)):
        raise NumprobeError(f"task '{task.name}' writes sentences, and embedder '{cell.embedder}' learns from numbers")
    if cell.template and getattr(cell.parts.embedder, "context", "isolated") != "isolated":
        raise NumprobeError(f"embedder '{cell.embedder}' reads numbers in lists: leave out the template")
    if cell.asks_trained and task.arity == 1 and not cell.transfers:
        raise NumprobeError(f"task '{task.name}' asks about one number at a time, so trained numbers have no new items")
    if isinstance(numbers, Facts):
        if cell.form != text_of(Digits()) or cell.mentions_otherwise or cell.test_range:
            raise NumprobeError("facts are texts already: leave out form, template and test range")
        if task.answer is not Answer.VALUE or task.writes_sentences:
            raise NumprobeError(f"task '{task.name}' can't ask about facts: use decoding, addition or subtraction")
    if sum(part.size for part in tests) > LIMIT:
        raise NumprobeError(f"the test ranges hold more than {LIMIT:,} numbers")
    are_outside = all(not part.overlaps(numbers) for part in tests)
    are_holes = all(numbers.contains(part) and part != numbers for part in tests)
    if not (are_outside or are_holes or (len(tests) == 1 and tests[0].contains(numbers))):
        raise NumprobeError(
            f"test range {cell.test_range} does not suit range {numbers}: it has to lie outside, inside or around "
            "it, and several have to lie all outside or all inside"
        )
    Selection(cell).check()


def _fits(name: str, task: Task, numbers: Sequence[Range]) -> bool:
    """Whether a probe with its default settings could answer a task about these numbers from vectors."""
    made = PROBES.makers[name]
    if task.answer not in getattr(made, "answers", ()) or getattr(made, "asks_in_words", False):
        return False
    if getattr(made, "needs_query", False) and not task.has_query:
        return False
    try:
        return not _misfit(PROBES.build(name), task, numbers)
    except NumprobeError:  # it has settings without defaults
        return True


def _misfit(probe: Any, task: Task, numbers: Sequence[Range]) -> str:
    """Why a probe can't answer a task about these numbers; empty if it can."""
    return str(probe.problem(task, numbers)) if hasattr(probe, "problem") else ""
