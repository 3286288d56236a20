"""DROP's passages, questions and answers, read from the official JSON or from the hub's parquet form."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One annotation; exactly one of the three is not empty."""

    number: str = ""
    spans: tuple[str, ...] = ()
    date: tuple[str, str, str] = ("", "", "")
    """Day, month, year; some may be empty."""


@dataclass(frozen=True)
class Question:
    id: str
    text: str
    answer: Answer
    validated: tuple[Answer, ...] = ()
    """More annotations of the same question."""


@dataclass(frozen=True)
class Passage:
    id: str
    text: str
    questions: tuple[Question, ...]


def to_json(passages: "list[Passage]") -> dict[str, Any]:
    """The official shape."""
    raise NotImplementedError
