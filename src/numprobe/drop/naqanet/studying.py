"""The paper's studies of a trained NAQANet. Numbers are changed inside the model, so every answer stays what it was."""

from collections.abc import Mapping, Sequence

from numprobe.drop.changes import STRESS_TESTS, load_change
from numprobe.drop.data import Passage
from numprobe.drop.naqanet.answering import Reader, predict
from numprobe.drop.question_types import QUESTION_TYPES
from numprobe.drop.scoring import score
from numprobe.drop.stress import ORIGINAL, compare
from numprobe.drop.studies import Figures

BIGGER = "bigger"
PARTS = ("all", "number", *QUESTION_TYPES)
"""Of the breakdown, in the paper's order."""


def breakdown(reader: Reader, passages: Sequence[Passage]) -> tuple[Figures, ...]:
    """EM and F1 by question type."""
    scores = score(_answers(reader, passages), passages).parts
    return tuple(Figures("model", part, scores[part].count, scores[part].em, scores[part].f1) for part in PARTS)


def stress(reader: Reader, passages: Sequence[Passage], seed: int = 0) -> tuple[Figures, ...]:
    """All six rows, for all questions, the superlative and the comparative ones."""
    return _compared(reader, passages, STRESS_TESTS, seed)


def augmentation(readers: Mapping[str, Reader], passages: Sequence[Passage], seed: int = 0) -> tuple[Figures, ...]:
    """The original and larger numbers, for models by name."""
    return tuple(
        Figures(f"{name}: {own.row}", own.part, own.count, own.em, own.f1, own.difference, own.error)
        for name, reader in readers.items()
        for own in _compared(reader, passages, (BIGGER,), seed)
    )


def _compared(reader: Reader, passages: Sequence[Passage], changes: Sequence[str], seed: int) -> tuple[Figures, ...]:
    answers = {ORIGINAL: _answers(reader, passages)}
    answers |= {change: _answers(reader, passages, change, seed) for change in changes}
    # The text stays, and so do the questions and their answers.
    parts = compare(dict.fromkeys(answers, tuple(passages)), answers)
    return tuple(
        Figures(row, part, own.count, own.em, own.f1, *_difference(row, own.f1_difference, own.f1_error))
        for part, rows in parts.items()
        for row, own in rows.items()
    )


def _difference(row: str, difference: float, error: float) -> tuple[float | None, float | None]:
    return (None, None) if row == ORIGINAL else (difference, error)


def _answers(reader: Reader, passages: Sequence[Passage], change: str = "", seed: int = 0) -> dict[str, str]:
    found = predict(reader, passages, load_change(change) if change else None, seed)
    return {name: prediction.text for name, prediction in found.items()}
