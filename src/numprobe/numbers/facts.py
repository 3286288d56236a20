"""A user's own facts: a file of texts and values, such as cities and their populations."""

import csv
import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numprobe.errors import NumprobeError, unknown
from numprobe.files.reading import one_line_errors, read_parquet
from numprobe.files.untrusted import shortened
from numprobe.numbers.ranges import LARGEST, LIMIT, Range
from numprobe.registry import Spec

PREFIX = "facts:"
FEWEST_GROUPS = 7
"""With fewer groups, a fifth of four fifths of them is none."""
THOUSANDS = re.compile(r"-?\d{1,3}(,\d{3})+(\.\d+)?")
TOLD = 3
"""Bad rows that an error names; it counts the others."""


class StatedFact(NamedTuple):
    text: str
    value: float
    group: str


@dataclass(frozen=True, order=True)
class Facts(Range):
    """The rows of a CSV or Parquet file, by increasing value. Splits hold out rows, or groups of rows.

    Its text is `facts:path=cities.csv,group=country`; `text` and `value` name the columns if they are called otherwise.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     rows = [f"Town {n},{n * n}" for n in range(1, 11)]
    ...     print("text,value", *rows, sep="\\n", file=file)
    >>> facts = Facts.parse(f"facts:path={file.name}")
    >>> facts.size, facts.rows[-1]
    (10, StatedFact(text='Town 10', value=100.0, group='Town 10'))
    """

    path: str = ""
    text: str = "text"
    value: str = "value"
    group: str = ""
    """The column of groups that must not be on both sides of a split; rows with one text are always together."""
    digest: str = ""
    """What the file held when the cell was made."""

    def __post_init__(self) -> None:
        """Nothing to check: what a file holds was checked when it was read."""

    @classmethod
    def parse(cls, text: str) -> "Facts":
        settings = dict(Spec.parse(text).settings)
        for name in settings:
            if name not in (known := ("path", "text", "value", "group", "digest")):
                raise unknown("setting of facts", name, known)
        if not settings.get("path"):
            raise NumprobeError("facts need a file: write --range facts:path=FILE.csv")
        made = cls(0, 0, **settings)  # type: ignore[arg-type]
        rows, digest = made._content
        if settings.get("digest", digest) != digest:
            raise NumprobeError(f"{settings['path']} has changed since this result was made")
        return replace(made, low=math.floor(rows[0].value), high=math.ceil(rows[-1].value), digest=digest)

    @property
    def _content(self) -> "tuple[tuple[StatedFact, ...], str]":
        with one_line_errors(self.path):
            changed = Path(self.path).stat().st_mtime_ns
        return _read(self.path, self.text, self.value, self.group, changed)

    @property
    def rows(self) -> "tuple[StatedFact, ...]":
        return self._content[0]

    @property
    def size(self) -> int:
        return len(self.rows)

    def values(self) -> np.ndarray:
        """The value of each row, in increasing order."""
        return np.array([row.value for row in self.rows])

    def texts(self) -> list[str]:
        return [row.text for row in self.rows]

    def groups(self) -> np.ndarray:
        """The number of each row's group."""
        return _together(self.rows).astype(np.float64)

    def contains(self, other: Range) -> bool:
        return False

    @property
    def label(self) -> str:
        by = f", held out by {self.group}" if self.group else ""
        return f"{Path(self.path).name} ({self.size} facts{by})"

    def __str__(self) -> str:
        named = {name: getattr(self, name) for name in ("path", "text", "value", "group", "digest")}
        defaults = {"text": "text", "value": "value", "group": ""}
        return str(Spec("facts", tuple(sorted((k, v) for k, v in named.items() if v != defaults.get(k)))))


@lru_cache(maxsize=4)
def _read(path: str, text: str, value: str, group: str, changed: int) -> tuple[tuple[StatedFact, ...], str]:
    """The facts of a file by increasing value, and what identifies its content; refuse bad rows by their line."""
    wanted = [text, value, *([group] if group else [])]
    with one_line_errors(path):
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
        rows = _from_parquet(path, wanted) if path.endswith(".parquet") else _from_csv(path, wanted)
    found, bad = [], []
    for line, (said, number, *of) in rows:
        written = str(number).strip()
        try:
            amount = float(written.replace(",", "") if THOUSANDS.fullmatch(written) else written)
        except ValueError:
            amount = math.nan
        if math.isnan(amount):
            bad.append(f"line {line}: {value} {shortened(number)} is not a number")
        elif abs(amount) > LARGEST:
            bad.append(f"line {line}: {value} {amount:g} is too large")
        elif not str(said or "").strip() or (of and not str(of[0] or "").strip()):
            bad.append(f"line {line}: there is no {'text' if not str(said or '').strip() else group}")
        else:
            found.append(StatedFact(str(said).strip(), amount, str(of[0] if of else said).strip()))
    if bad:
        more = f" (and {len(bad) - TOLD} more)" if len(bad) > TOLD else ""
        raise NumprobeError(f"{path}: {len(bad)} bad row{'s' * (len(bad) > 1)}: {'; '.join(bad[:TOLD])}{more}")
    if len(found) > LIMIT:
        raise NumprobeError(f"{path} has more than {LIMIT:,} rows")
    facts = tuple(sorted(found, key=lambda fact: (fact.value, fact.text)))
    if (groups := len(set(_together(facts)))) < FEWEST_GROUPS:
        kind = f"groups by {group} that share no text" if group else f"different {text}s"
        raise NumprobeError(f"{path} has {groups} {kind}, and a split needs {FEWEST_GROUPS}")
    return facts, digest


def _together(rows: Sequence[StatedFact]) -> np.ndarray:
    """The number of each row's group, where groups that share a text are one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not rows:
        return np.empty(0, dtype=np.int64)
    groups = np.unique([row.group for row in rows], return_inverse=True)[1]
    texts = np.unique([row.text for row in rows], return_inverse=True)[1]
    size = groups.max() + texts.max() + 2
    edges = coo_array((np.ones(len(rows)), (groups, groups.max() + 1 + texts)), shape=(size, size))
    numbered: np.ndarray = connected_components(edges, directed=False)[1]
    return numbered[groups]


def _from_csv(path: str, wanted: list[str]) -> list[tuple[int, list[str]]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        _check_columns(path, wanted, list(reader.fieldnames or ()))
        return [(reader.line_num, [row[name] for name in wanted]) for row in reader]


def _from_parquet(path: str, wanted: list[str]) -> list[tuple[int, list[str]]]:
    table = read_parquet(path)
    _check_columns(path, wanted, table.column_names)
    columns = [table.column(name).to_pylist() for name in wanted]
    return [(line, list(row)) for line, row in enumerate(zip(*columns, strict=True), 1)]


def _check_columns(path: str, wanted: list[str], there: list[str]) -> None:
    for name in wanted:
        if name not in there:
            raise NumprobeError(f"{path}: {unknown('column', name, there)}")
