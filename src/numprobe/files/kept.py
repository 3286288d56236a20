"""Answers that were paid for, kept as they arrive."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from numprobe.errors import NumprobeError
from numprobe.files.writing import drafted

AT_ONCE = 500
"""Keys that one query looks up."""


class Kept:
    """A file of keys and values. What was added is there after a crash, too."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let other processes that would ask the same questions wait, and then find the answers."""
        with drafted(self.path.with_suffix(".asking")):
            yield

    def find(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of those keys that there are."""
        found: dict[str, bytes] = {}
        if not self.path.exists():
            return found
        with self._open() as database:
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                found |= dict(database.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", some).fetchall())
        return found

    def add(self, values: Mapping[str, bytes]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as database:
            database.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
            database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", values.items())

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self.path, timeout=60)
            try:
                with database:
                    yield database
            finally:
                database.close()
        except sqlite3.Error as error:
            raise NumprobeError(f"{self.path} can't be used ({error}): remove it with numprobe cache clear") from None
