"""The hub's parquet form of DROP (`EleutherAI/drop`): one row per question, a passage's rows share its text."""

from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors
from numprobe.files.reading import read_parquet as parquet_table
from numprobe.files.untrusted import shortened

COLUMNS = ("section_id", "passage", "question", "query_id", "answer", "validated_answers")


def read_parquet(path: Path) -> dict[str, Any]:
    """The rows of a file in the official JSON's shape."""
    with one_line_errors(str(path)):
        table = parquet_table(str(path))
    missing = [column for column in COLUMNS if column not in table.column_names]
    if missing:
        raise NumprobeError(
            f"{path} has no column {missing[0]!r}; use EleutherAI/drop (ucinlp/drop has lost answer types)"
        )
    passages: dict[str, Any] = {}
    for row in table.select(COLUMNS).to_pylist():
        if not isinstance(row["section_id"], str):
            raise NumprobeError(f"{path}: 'section_id' must be a text, not {shortened(row['section_id'])}")
        passage = passages.setdefault(row["section_id"], {"passage": row["passage"], "qa_pairs": []})
        passage["qa_pairs"].append({**row, "validated_answers": _annotations(row, path)})
    return passages


def _annotations(row: dict[str, Any], path: Path) -> Any:
    """The annotations of a row; the hub keeps a list of objects as an object of lists."""
    columns = row["validated_answers"]
    if not isinstance(columns, dict):
        return columns
    try:
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    except (TypeError, ValueError):
        raise NumprobeError(f"{path}, {row['query_id']}: 'validated_answers' must hold lists of one length") from None
