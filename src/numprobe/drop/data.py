"""DROP's passages, questions and answers, read from the official JSON or from the hub's parquet form."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from numprobe.errors import NumprobeError, at_least
from numprobe.files.untrusted import QUOTED, read_json, shortened
from numprobe.files.writing import write_whole
from numprobe.numbers import generator

MOST_SPANS = 200
"""Of an answer: to find which of two answers' spans belong together takes the cube of their number."""


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


def read(path: str | Path) -> tuple[Passage, ...]:
    """The passages of a file (`.json`, or `.parquet` as the hub has it) or of all such files of a folder."""
    path = Path(path).expanduser()
    files = sorted([*path.glob("*.json"), *path.glob("*.parquet")]) if path.is_dir() else [path]
    if not files:
        raise NumprobeError(f"{path} holds no .json and no .parquet file")
    passages = tuple(passage for file in files for passage in _read_file(file))
    _refuse_repeated("passage", [passage.id for passage in passages], path)
    _refuse_repeated("query_id", [question.id for passage in passages for question in passage.questions], path)
    return passages


def from_json(official: Any, where: object) -> tuple[Passage, ...]:
    """Passages in the official shape; `where` they come from is named if they aren't."""
    if not isinstance(official, dict) or not official:
        raise NumprobeError(f"{where} is not DROP's JSON: it must be an object with a passage for each id")
    return tuple(_passage(name, fields, f"{where}, passage {shortened(name)}") for name, fields in official.items())


def to_json(passages: Iterable[Passage]) -> dict[str, Any]:
    """The official shape."""

    def answer(annotation: Answer) -> dict[str, Any]:
        date = dict(zip(("day", "month", "year"), annotation.date, strict=True))
        return {"number": annotation.number, "date": date, "spans": list(annotation.spans)}

    def question(asked: Question) -> dict[str, Any]:
        return {
            "question": asked.text,
            "query_id": asked.id,
            "answer": answer(asked.answer),
            "validated_answers": [answer(annotation) for annotation in asked.validated],
        }

    return {
        passage.id: {"passage": passage.text, "qa_pairs": [question(asked) for asked in passage.questions]}
        for passage in passages
    }


def write(passages: Iterable[Passage], path: str | Path) -> None:
    """Write a file in the official shape: whole or not at all."""
    write_whole(Path(path), json.dumps(to_json(passages), indent=1, ensure_ascii=False) + "\n")


def split(passages: Sequence[Passage], share: float, seed: int) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """Two parts, the first with this share of the passages; a passage keeps its questions and its place."""
    at_least(0, seed=seed)
    if not 0 < share < 1:
        raise NumprobeError(f"share must lie between 0 and 1, not {share}")
    count = round(share * len(passages))
    if count in (0, len(passages)):
        raise NumprobeError(f"{len(passages)} passages can't be split with share {share}: one part would be empty")
    first = set(generator(seed, "split").permutation(len(passages))[:count].tolist())
    return (
        tuple(passage for place, passage in enumerate(passages) if place in first),
        tuple(passage for place, passage in enumerate(passages) if place not in first),
    )


def _read_file(path: Path) -> tuple[Passage, ...]:
    if path.suffix == ".parquet":
        from numprobe.drop.hub import read_parquet

        return from_json(read_parquet(path), path)
    return from_json(read_json(path), path)


def _refuse_repeated(what: str, ids: Sequence[str], path: Path) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise NumprobeError(f"{path} has {what} {shortened(name)} twice; ids must differ")
        seen.add(name)


def _passage(name: str, fields: Any, where: str) -> Passage:
    text = _text(fields, "passage", where)
    pairs = _get(fields, "qa_pairs", list, where)
    return Passage(name, text, tuple(_question(pair, f"{where}, question {place}") for place, pair in enumerate(pairs)))


def _question(fields: Any, where: str) -> Question:
    name = _text(fields, "query_id", where)
    where = f"{where} ({name if len(name) <= QUOTED else shortened(name)})"
    answer = _answer(_get(fields, "answer", dict, where), f"{where}, answer")
    if answer is None:
        raise NumprobeError(f"{where}: its answer is empty; give a number, spans or a date")
    validated = [
        _answer(annotation, f"{where}, validated_answers {place}")
        for place, annotation in enumerate(_get(fields, "validated_answers", list, where, []))
    ]
    # The hub's form has an empty annotation where there is none.
    return Question(name, _text(fields, "question", where), answer, tuple(filter(None, validated)))


def _answer(fields: Any, where: str) -> Answer | None:
    """An annotation, None if it is empty. Of several answers the first counts, in the order of the official metric."""
    number = _get(fields, "number", str, where, "")
    spans = tuple(span for span in _get(fields, "spans", list, where, []) if span != "")
    date = _get(fields, "date", dict, where, {})
    day, month, year = (_get(date, key, str, f"{where}, date", "") for key in ("day", "month", "year"))
    if not all(isinstance(span, str) for span in spans):
        raise NumprobeError(f"{where}: 'spans' must be a list of texts, not {shortened(spans)}")
    if len(spans) > MOST_SPANS:
        raise NumprobeError(f"{where}: {len(spans):,} spans; the most is {MOST_SPANS}")
    if number.strip():
        return Answer(number=number)
    if spans:
        return Answer(spans=spans)
    return Answer(date=(day, month, year)) if day or month or year else None


Value = TypeVar("Value")


def _get(fields: Any, key: str, kind: type[Value], where: str, default: Value | None = None) -> Value:
    """The value of a key, which must have a kind; without a default the key must be there."""
    if not isinstance(fields, dict):
        raise NumprobeError(f"{where} must be an object, not {type(fields).__name__}")
    value = fields.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, kind):
        kinds: dict[type[Any], str] = {str: "a text", list: "a list", dict: "an object"}
        found = "is missing" if key not in fields else f"is {type(value).__name__}"
        raise NumprobeError(f"{where}: {key!r} {found}; it must be {kinds[kind]}")
    return value


def _text(fields: Any, key: str, where: str) -> str:
    text = _get(fields, key, str, where)
    if not text.strip():
        raise NumprobeError(f"{where}: {key!r} is empty")
    return text
