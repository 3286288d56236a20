"""The paper's three studies of NAQANet as data: what was measured, and the paper's own figures beside it."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

TITLES = {
    "breakdown": "NAQANet by question type",
    "stress": "NAQANet where every number of the passage looks changed",
    "augmentation": "NAQANet trained with changed numbers too, on larger ones",
}
"""Study -> what it shows."""
PAPER_QUESTIONS = 77_409
"""Real questions that the paper's model was trained with."""


@dataclass(frozen=True)
class Figures:
    """The scores in percent of one row on some of the questions; None where it was not measured, or not printed."""

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
    """What was studied, in a few words."""
    notes: tuple[str, ...]
    """What has to be known before these scores are set beside the paper's."""
    figures: tuple[Figures, ...]

    @property
    def title(self) -> str:
        return f"{TITLES[self.name]}: {self.model}"

    def as_dict(self) -> dict[str, Any]:
        """With the paper's figures, or null, beside each of ours."""
        rows = [{**asdict(own), "paper": _optional(paper(self.name, own))} for own in self.figures]
        return {"study": self.name, "model": self.model, "notes": list(self.notes), "figures": rows}

    @classmethod
    def from_dict(cls, held: Mapping[str, Any]) -> "Study":
        figures = ({name: value for name, value in row.items() if name != "paper"} for row in held["figures"])
        return cls(held["study"], held["model"], tuple(held["notes"]), tuple(Figures(**row) for row in figures))


def paper(study: str, own: Figures) -> Figures | None:
    """What the paper reports for the same row and questions."""
    return _paper().get((study, own.row, own.part))


def notes(seen: Mapping[str, int], evaluated: Mapping[str, int]) -> tuple[str, ...]:
    """What scores have to carry: by how many generated and real questions a model has seen, and was evaluated with.

    >>> print(*notes({"generated": 0, "real": 7600}, {"generated": 0, "real": 1900}))
    Trained on a set of 7,600 real questions; the paper's model saw 77,409 real ones.
    """
    shown = " and ".join(f"{number:,} {kind}" for kind, number in seen.items() if number)
    lines = (f"Trained on a set of {shown} questions; the paper's model saw {PAPER_QUESTIONS:,} real ones.",)
    return (*lines, "Scored on generated questions: these are no scores of DROP.") if evaluated["generated"] else lines


def published_studies() -> list[Study]:
    """The studies that come with numprobe."""
    return read_studies((files("numprobe.drop") / "studies.json").read_text(encoding="utf-8"))


def read_studies(text: str) -> list[Study]:
    return [Study.from_dict(held) for held in json.loads(text)]


def write_studies(studies: Sequence[Study]) -> str:
    return json.dumps([study.as_dict() for study in studies], indent=1, ensure_ascii=False) + "\n"


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


def _optional(figures: Figures | None) -> dict[str, Any] | None:
    return None if figures is None else asdict(figures)
