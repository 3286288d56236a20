"""Making a damaged file from a seed and reading it, which must succeed or fail with one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from numprobe.errors import NumprobeError
from tests.fuzzing.readers import READERS

LONGEST_MESSAGE = 2000


@cache
def _samples(name: str) -> tuple[bytes, ...]:
    return tuple(READERS[name].samples())


def damaged(name: str, seed: int) -> bytes:
    """Make the damaged file for a seed; it is the same on every machine."""
    chance = Random(f"{name} {seed}")
    return READERS[name].mutated(chance.choice(_samples(name)), chance)


@contextmanager
def workshop(name: str, folder: Path) -> Iterator[Path]:
    """Return the path for a reader's files, after checking that the reader accepts the undamaged samples."""
    inside = folder / "inside"
    inside.mkdir(exist_ok=True)
    path = inside / READERS[name].name
    for sample in _samples(name):
        path.write_bytes(sample)
        READERS[name].read(path)
    yield path


def attempt(name: str, seed: int, path: Path) -> bool:
    """Return whether the reader accepted the file; an error other than a refusal is raised."""
    path.write_bytes(damaged(name, seed))
    try:
        READERS[name].read(path)
    except NumprobeError as error:
        message = str(error)
        if "\n" in message or len(message) > LONGEST_MESSAGE:
            raise AssertionError(f"a message of {len(message)} characters: {message[:200]!r}") from error
        return False
    return True
