"""The paper's three studies of NAQANet: how to run them, and the paper's figures beside ours.

The numbers are changed inside the model, so that the text and every answer stay the same.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from numprobe.drop.changes import STRESS_TESTS, load_change
from numprobe.drop.data import Passage
from numprobe.drop.generator import is_generated
from numprobe.drop.metric import score_predictions
from numprobe.drop.question_types import QUESTION_TYPES
from numprobe.drop.stress import ORIGINAL, compare_texts

if TYPE_CHECKING:
    from numprobe.drop.naqanet.answering import NAQANetReader

TITLES = {
    "breakdown": "NAQANet by question type",
    "stress": "NAQANet with every number in the passage changed",
    "augmentation": "NAQANet trained with changed numbers as well, tested on larger ones",
}
"""Study -> title."""
BREAKDOWN_PARTS = ("all", "number", *QUESTION_TYPES)
"""In the paper's order."""
PAPER_QUESTIONS = 77_409
"""Real questions that the paper's model was trained on."""


@dataclass(frozen=True)
class Figures:
    """One row's scores in percent on some of the questions; None if not measured or not printed."""

    row: str
    part: str
    """All questions, or an answer or question type."""
    count: int
    em: float | None
    f1: float | None
    difference: float | None = None
    """Of F1 from the original's."""
    error: float | None = None
    """The standard error of the difference."""


@dataclass(frozen=True)
class Study:
    name: str
    model: str
    """A short description of the model."""
    notes: tuple[str, ...]
    """What to keep in mind when comparing these scores with the paper's."""
    figures: tuple[Figures, ...]

    @property
    def title(self) -> str:
        return f"{TITLES[self.name]}: {self.model}"

    def as_dict(self) -> dict[str, Any]:
        """The study as JSON, with the paper's figures or null beside each of ours."""
        rows = []
        for own in self.figures:
            reported = paper(self.name, own)
            rows.append({**asdict(own), "paper": reported and asdict(reported)})
        return {"study": self.name, "model": self.model, "notes": list(self.notes), "figures": rows}

    @classmethod
    def from_dict(cls, held: Mapping[str, Any]) -> "Study":
        figures = ({name: value for name, value in row.items() if name != "paper"} for row in held["figures"])
        return cls(held["study"], held["model"], tuple(held["notes"]), tuple(Figures(**row) for row in figures))


def run_study(
    name: str, model: str, augmented: str, passages: Sequence[Passage], device: Any = "cpu", seed: int = 0
) -> tuple[tuple[Figures, ...], tuple[str, ...]]:
    """The figures and notes of a study of the model in a folder; `augmented` is the second model of "augmentation"."""
    from numprobe.drop.naqanet.files import load_reader

    reader = load_reader(model, device)
    if name == "breakdown":
        figures = breakdown(reader, passages)
    elif name == "stress":
        figures = stress(reader, passages, seed=seed)
    else:
        figures = augmentation({"plain": reader, "augmented": load_reader(augmented, device)}, passages, seed)
    return figures, notes(reader.about["seen"], any(map(is_generated, passages)))


def breakdown(reader: "NAQANetReader", passages: Sequence[Passage]) -> tuple[Figures, ...]:
    """EM and F1 by question type."""
    from numprobe.drop.naqanet.answering import answer_passages

    scores = score_predictions(answer_passages(reader, passages), passages)
    return tuple(
        Figures("model", part, scores[part].count, scores[part].em, scores[part].f1) for part in BREAKDOWN_PARTS
    )


def stress(
    reader: "NAQANetReader", passages: Sequence[Passage], changes: Sequence[str] = STRESS_TESTS, seed: int = 0
) -> tuple[Figures, ...]:
    """The original and each change, for all, superlative and comparative questions."""
    from numprobe.drop.naqanet.answering import answer_passages

    answers = {ORIGINAL: answer_passages(reader, passages)}
    answers |= {change: answer_passages(reader, passages, load_change(change), seed) for change in changes}
    parts = compare_texts(dict.fromkeys(answers, tuple(passages)), answers)
    return tuple(
        Figures(row, part, own.count, own.em, own.f1, *(() if row == ORIGINAL else (own.f1_difference, own.f1_error)))
        for part, rows in parts.items()
        for row, own in rows.items()
    )


def augmentation(
    readers: Mapping[str, "NAQANetReader"], passages: Sequence[Passage], seed: int = 0
) -> tuple[Figures, ...]:
    """The original and larger numbers, for models by name."""
    return tuple(
        replace(own, row=f"{name}: {own.row}")
        for name, reader in readers.items()
        for own in stress(reader, passages, ("bigger",), seed)
    )


def paper(study: str, own: Figures) -> Figures | None:
    """What the paper reports for the same row and questions."""
    return _paper().get((study, own.row, own.part))


def notes(seen: Mapping[str, int], scored_on_generated: bool) -> tuple[str, ...]:
    """The notes of a study of a model that has seen these numbers of generated and real questions.

    >>> print(*notes({"generated": 0, "real": 7600}, scored_on_generated=False))
    Trained on a set of 7,600 real questions; the paper's model saw 77,409 real ones.
    """
    shown = " and ".join(f"{number:,} {kind}" for kind, number in seen.items() if number)
    lines = (f"Trained on a set of {shown} questions; the paper's model saw {PAPER_QUESTIONS:,} real ones.",)
    return (*lines, "Scored on generated questions: these are not DROP scores.") if scored_on_generated else lines


def published_studies() -> list[Study]:
    """The studies shipped with numprobe."""
    text = (files("numprobe.drop") / "studies.json").read_text(encoding="utf-8")
    return [Study.from_dict(held) for held in json.loads(text)]


@cache
def _paper() -> dict[tuple[str, str, str], Figures]:
    with (files("numprobe.drop") / "paper.csv").open(encoding="utf-8") as file:
        return {
            (line["study"], line["row"], line["part"]): Figures(
                line["row"],
                line["part"],
                int(line["count"]),
                *(float(line[name]) if line[name] else None for name in ("em", "f1", "difference")),
            )
            for line in csv.DictReader(file)
        }
