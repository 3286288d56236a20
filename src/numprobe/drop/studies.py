"""The paper's three studies of NAQANet: how to run them, and the paper's figures beside ours.

The numbers are changed inside the model, so that the text and every answer stay the same.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from numprobe.drop.changes import STRESS_TESTS, change_label, load_change
from numprobe.drop.data import Passage
from numprobe.drop.floors import floors_of
from numprobe.drop.generator import is_generated
from numprobe.drop.question_types import QUESTION_TYPES
from numprobe.drop.stress import ORIGINAL, Stressed, compare_texts

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
PART_LABELS = {
    "all": "All Questions",
    "number": "Number Answers",
    "comparative": "Comparative",
    "comparative_binary": "Binary (either-or)",
    "comparative_non_binary": "Non-binary",
    "superlative": "Superlative",
    "superlative_number": "Superlative, Number Answers",
    "superlative_span": "Superlative, Span Answers",
}
"""The paper's words for the parts."""
MODEL_LABELS = {"plain": "NAQANet", "augmented": "+ Data Augmentation"}
BEYOND = {
    "wide": "reads decimals and subtracts from 100",
    "matching": "is told which words of the passage stand in the question",
}
"""What the settings of a network that the paper's does not have let it do."""
SWAPPED = " (swapped)"
"""Ends the row in which only the numbers' own states are replaced."""


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
    """The standard error of the difference, over passages."""
    em_error: float | None = None
    f1_error: float | None = None
    """The standard errors of the scores themselves, over passages."""
    floors: Mapping[str, float] = field(default_factory=dict)
    """Exact match, in percent, of readers who can't compare numbers; see `numprobe.drop.floors`."""

    @property
    def label(self) -> str:
        """The row as the paper writes it.

        >>> Figures("augmented: bigger", "all", 1, 0.0, 0.0).label, Figures("original", "all", 1, 0.0, 0.0).label
        ('+ Data Augmentation, Bigger', 'Original')
        """
        model, _, change = self.row.rpartition(": ")
        swapped = ", only the numbers' states" if change.endswith(SWAPPED) else ""
        label = change_label(change.removesuffix(SWAPPED)) + swapped
        return f"{MODEL_LABELS[model]}, {label}" if model else label


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
            rows.append({**_held(own), "paper": reported and _held(reported)})
        return {"study": self.name, "model": self.model, "notes": list(self.notes), "figures": rows}

    def rows(self) -> list[dict[str, Any]]:
        """Flat rows for programs, with the paper's scores or null."""
        made = []
        for own in self.figures:
            reported = paper(self.name, own)
            changed = {} if self.name == "breakdown" else {"change": own.row, "label": own.label}
            compared = {"difference": own.difference, "difference_error": own.error}
            made.append(
                {
                    "model": self.model,
                    **changed,
                    "type": own.part,
                    "count": own.count,
                    **{name: getattr(own, name) for name in ("em", "f1")},
                    **{f"paper_{name}": getattr(reported, name, None) for name in ("em", "f1")},
                    **{name: getattr(own, name) for name in ("em_error", "f1_error")},
                    **(compared | {"paper_difference": getattr(reported, "difference", None)} if changed else {}),
                    **({"floors": dict(own.floors)} if own.floors else {}),
                }
            )
        return made

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
    return figures, notes(reader.about, any(map(is_generated, passages)))


def breakdown(reader: "NAQANetReader", passages: Sequence[Passage]) -> tuple[Figures, ...]:
    """EM and F1 by question type."""
    scores = compare_texts({ORIGINAL: tuple(passages)}, {ORIGINAL: reader.answer_passages(passages)}, BREAKDOWN_PARTS)
    floors = floors_of(passages)
    return tuple(_figures("model", part, own[ORIGINAL], floors.get(part, {})) for part, own in scores.items())


def stress(
    reader: "NAQANetReader", passages: Sequence[Passage], changes: Sequence[str] = STRESS_TESTS, seed: int = 0
) -> tuple[Figures, ...]:
    """The original and each change, for all, superlative and comparative questions.

    If the states of words depend on their text, there are two rows for each change: in one, all states are computed
    anew, and in the other only those of the numbers, which is the paper's intervention.
    """
    answers = {ORIGINAL: reader.answer_passages(passages)}
    for change in changes:
        answers[change] = reader.answer_passages(passages, load_change(change), seed)
        if reader.words.depends_on_text:
            answers[change + SWAPPED] = reader.answer_passages(passages, load_change(change), seed, swapped=True)
    parts = compare_texts(dict.fromkeys(answers, tuple(passages)), answers)
    return tuple(_figures(row, part, own) for part, rows in parts.items() for row, own in rows.items())


def _figures(row: str, part: str, own: Stressed, floors: Mapping[str, float] | None = None) -> Figures:
    difference, error = (None, None) if row in ("model", ORIGINAL) else (own.f1_difference, own.f1_error)
    errors = own.em_own_error, own.f1_own_error
    return Figures(row, part, own.count, own.em, own.f1, difference, error, *errors, floors or {})


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
    return _paper().get((study, own.row.removesuffix(SWAPPED), own.part))


def notes(about: Mapping[str, Any], scored_on_generated: bool) -> tuple[str, ...]:
    """The notes of a study of a model that says this about itself.

    >>> print(*notes({"seen": {"generated": 0, "real": 7600}, "sizes": {}}, scored_on_generated=False))
    Trained on a set of 7,600 real questions; the paper's model saw 77,409 real ones.
    """
    shown = " and ".join(f"{number:,} {kind}" for kind, number in about["seen"].items() if number)
    lines = [f"Trained on a set of {shown} questions; the paper's model saw 77,409 real ones."]
    beyond = [way for name, way in BEYOND.items() if about["sizes"].get(name)]
    if beyond:
        lines.append(f"Unlike the paper's model, it {' and '.join(beyond)}.")
    if scored_on_generated:
        lines.append("Scored on generated questions: these are not DROP scores.")
    return tuple(lines)


def published_studies() -> list[Study]:
    """The studies shipped with numprobe."""
    text = (files("numprobe.drop") / "studies.json").read_text(encoding="utf-8")
    return [Study.from_dict(held) for held in json.loads(text)]


def _held(figures: Figures) -> dict[str, Any]:
    """What is known, rounded to what the standard errors bear."""
    return {
        name: round(value, 2) if isinstance(value, float) else value
        for name, value in asdict(figures).items()
        if value is not None and value != {}
    }


@cache
def _paper() -> dict[tuple[str, str, str], Figures]:
    with (files("numprobe.drop") / "paper.csv").open(encoding="utf-8") as file:
        return {
            (line["study"], line["row"], line["part"]): Figures(
                line["row"],
                line["part"],
                int(line["count"]),
                _printed(line["em"]),
                _printed(line["f1"]),
                _printed(line["difference"]),
            )
            for line in csv.DictReader(file)
        }


def _printed(score: str) -> float | None:
    return float(score) if score else None
