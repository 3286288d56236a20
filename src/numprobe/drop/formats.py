"""Files of passages: DROP's official JSON, and the Parquet files of `EleutherAI/drop` on the hub."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from numprobe.drop.data import MOST_SPANS, Floors, GoldAnswer, Passage, Question, all_questions
from numprobe.errors import NumprobeError
from numprobe.files.untrusted import QUOTED, read_json, shortened
from numprobe.files.writing import write_whole

COLUMNS = ("section_id", "passage", "question", "query_id", "answer", "validated_answers")
"""Of the hub's Parquet files."""


def read_passages(path: str | Path) -> tuple[Passage, ...]:
    """The passages of a `.json` or `.parquet` file, or of all such files in a folder."""
    path = Path(path).expanduser()
    files = sorted([*path.glob("*.json"), *path.glob("*.parquet")]) if path.is_dir() else [path]
    if not files:
        raise NumprobeError(f"{path} holds no .json and no .parquet file")
    passages = tuple(
        passage
        for file in files
        for passage in from_json(_read_parquet(file) if file.suffix == ".parquet" else read_json(file), file)
    )
    for what, things in (("passage", passages), ("query_id", all_questions(passages))):
        for name, times in Counter(thing.id for thing in things).items():
            if times > 1:
                raise NumprobeError(f"{path} has {what} {shortened(name)} twice; ids must differ")
    return passages


def write_passages(passages: Iterable[Passage], path: str | Path) -> None:
    """Write the official JSON, atomically."""
    write_whole(Path(path), json.dumps(to_json(passages), indent=1, ensure_ascii=False) + "\n")


def to_json(passages: Iterable[Passage]) -> dict[str, Any]:
    """The content of the official JSON."""

    def answer(annotation: GoldAnswer) -> dict[str, Any]:
        date = dict(zip(("day", "month", "year"), annotation.date, strict=True))
        return {"number": annotation.number, "date": date, "spans": list(annotation.spans)}

    def question(asked: Question) -> dict[str, Any]:
        return {
            "question": asked.text,
            "query_id": asked.id,
            "answer": answer(asked.answer),
            "validated_answers": [answer(annotation) for annotation in asked.validated],
            **({"floors": asdict(asked.floors)} if asked.floors else {}),
        }

    return {
        passage.id: {"passage": passage.text, "qa_pairs": [question(asked) for asked in passage.questions]}
        for passage in passages
    }


def from_json(official: Any, where: object) -> tuple[Passage, ...]:
    """The passages of the official JSON; errors name `where` it comes from."""
    if not isinstance(official, dict) or not official:
        raise NumprobeError(f"{where} is not DROP's JSON: it must be an object with a passage for each id")
    return tuple(_passage(name, fields, f"{where}, passage {shortened(name)}") for name, fields in official.items())


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
    # A question without further annotations has an empty one on the hub.
    floors = _get(fields, "floors", dict, where, {})
    given = Floors(*(_chance(floors, key, f"{where}, floors") for key in ("guess", "digits"))) if floors else None
    return Question(name, _text(fields, "question", where), answer, tuple(filter(None, validated)), given)


def _chance(fields: dict[str, Any], key: str, where: str) -> float:
    value = fields.get(key)
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise NumprobeError(f"{where}: {key!r} must be a number from 0 to 1, not {shortened(value)}")
    return float(value)


def _answer(fields: Any, where: str) -> GoldAnswer | None:
    """An annotation, or None if it is empty. If it holds several answers, the official metric takes the first."""
    number = _get(fields, "number", str, where, "")
    spans = tuple(span for span in _get(fields, "spans", list, where, []) if span != "")
    date = _get(fields, "date", dict, where, {})
    day, month, year = (_get(date, key, str, f"{where}, date", "") for key in ("day", "month", "year"))
    if not all(isinstance(span, str) for span in spans):
        raise NumprobeError(f"{where}: 'spans' must be a list of strings, not {shortened(spans)}")
    if len(spans) > MOST_SPANS:
        raise NumprobeError(f"{where}: {len(spans):,} spans are too many; the most is {MOST_SPANS}")
    if number.strip():
        return GoldAnswer(number=number)
    if spans:
        return GoldAnswer(spans=spans)
    return GoldAnswer(date=(day, month, year)) if day or month or year else None


_Value = TypeVar("_Value")


def _get(fields: Any, key: str, kind: type[_Value], where: str, default: _Value | None = None) -> _Value:
    """The value of a key, which must be of this type; without a default the key is required."""
    if not isinstance(fields, dict):
        raise NumprobeError(f"{where} must be an object, not {type(fields).__name__}")
    value = fields.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, kind):
        kinds: dict[type[Any], str] = {str: "a string", list: "a list", dict: "an object"}
        found = "is missing" if key not in fields else f"is {type(value).__name__}"
        raise NumprobeError(f"{where}: {key!r} {found}; it must be {kinds[kind]}")
    return value


def _text(fields: Any, key: str, where: str) -> str:
    text = _get(fields, key, str, where)
    if not text.strip():
        raise NumprobeError(f"{where}: {key!r} is empty")
    return text


def _read_parquet(path: Path) -> dict[str, Any]:
    """The rows of a Parquet file, one per question, in the shape of the official JSON."""
    from numprobe.files.reading import one_line_errors, read_parquet

    with one_line_errors(str(path)):
        table = read_parquet(str(path))
    missing = [column for column in COLUMNS if column not in table.column_names]
    if missing:
        raise NumprobeError(f"{path} has no column {missing[0]!r}; use EleutherAI/drop, not ucinlp/drop")
    passages: dict[str, Any] = {}
    for row in table.select(COLUMNS).to_pylist():
        if not isinstance(row["section_id"], str):
            raise NumprobeError(f"{path}: 'section_id' must be a string, not {shortened(row['section_id'])}")
        passage = passages.setdefault(row["section_id"], {"passage": row["passage"], "qa_pairs": []})
        passage["qa_pairs"].append({**row, "validated_answers": _annotations(row, path)})
    return passages


def _annotations(row: dict[str, Any], path: Path) -> Any:
    """The further annotations of a row as a list of objects; the hub stores an object of lists."""
    columns = row["validated_answers"]
    if not isinstance(columns, dict):
        return columns
    try:
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    except (TypeError, ValueError):
        raise NumprobeError(f"{path}, {row['query_id']}: the lists in 'validated_answers' differ in length") from None
