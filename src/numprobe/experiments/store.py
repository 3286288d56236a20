"""A folder with one small JSON file per cell. Interrupted work resumes by looking what is there."""

import json
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.experiments.cell import Cell
from numprobe.experiments.result import Result
from numprobe.files.untrusted import parse_json
from numprobe.files.writing import Draft, claim, sweep, write_whole

logger = logging.getLogger(__name__)


class Store:
    """Results by the hash of their cell. Each file is complete, or not there.

    >>> import tempfile, numprobe
    >>> folder = tempfile.mkdtemp()
    >>> found = numprobe.probe("value", numbers="0:99", probe="linear", store=folder)
    >>> store = numprobe.Store(folder)
    >>> [str(result.cell) for result in store.results()]
    ['value, decoding, [0,99], linear']
    >>> store.load(found[0].cell).scores == found.scores
    True
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, cell: Cell) -> Path:
        return self.folder / f"{cell.hash}.json"

    def load(self, cell: Cell) -> Result | None:
        """The result of a cell, or None if there is none that can be read and was trained as it would be now."""
        kept = self._read(self.path(cell))
        return kept[0] if kept is not None and kept[1].items() >= cell.training().items() else None

    def claim(self, cell: Cell) -> Draft | None:
        """Claim the right to make a cell's result, or return None if another process is making it."""
        with self._writing():
            return claim(self.path(cell))

    def save(self, cell: Cell, result: Result, draft: Draft | None = None) -> None:
        """Write a result, whole or not at all: into the draft that claimed it, or after waiting for its turn."""
        content = json.dumps(result.as_dict(), ensure_ascii=False) + "\n"
        if draft is None:
            write_whole(self.path(cell), content)
            return
        with self._writing():
            draft.publish(content)

    def open(self) -> "Store":
        """Make sure that results can be written before any work is done, and clean up after killed processes."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        sweep(self.folder)
        return self

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NumprobeError(f"can't write to the result store {self.folder}: {error.strerror}") from error

    def results(self) -> Iterator[Result]:
        """Every readable result of this version of numprobe, in the order of the file names."""
        older = 0
        for path in sorted(self.folder.glob("[!.]*.json")):
            kept = self._read(path)
            if kept is None:
                continue
            result, settings = kept
            if result is not None and settings.items() >= result.cell.training().items():
                yield result
            else:
                older += 1
        if older:
            logger.warning("%s: left out %d results of another version of numprobe", self.folder, older)

    @staticmethod
    def _read(path: Path) -> tuple[Result | None, dict[str, Any]] | None:
        """A result, or None for one of an older numprobe, and the settings it was made with; None if it is none."""
        try:
            entry = parse_json(path.read_text(encoding="utf-8"), path)
            settings = dict(entry["settings"])
            return Result.from_dict(entry) if "versions" in settings else None, settings
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, TypeError, KeyError):
            logger.warning("%s is not a complete result and counts as missing", path)
            return None
        except OSError as error:
            raise NumprobeError(f"can't read {path}: {error.strerror}") from error
