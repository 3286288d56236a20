"""One spoilt file: made from a number, and read. Nothing but a refusal in one line may come of it."""

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


def spoilt(name: str, seed: int) -> bytes:
    """The file that a number stands for; the same on every machine."""
    chance = Random(f"{name} {seed}")
    return READERS[name].mutated(chance.choice(_samples(name)), chance)


@contextmanager
def workshop(name: str, folder: Path) -> Iterator[Path]:
    """Where the files of a reader are put; what every attempt needs is made there first."""
    inside = folder / "inside"
    inside.mkdir(exist_ok=True)
    path = inside / READERS[name].name
    for sample in _samples(name):  # a reader that refuses what is sound would never be seen to fail
        path.write_bytes(sample)
        READERS[name].read(path)
    yield path


def attempt(name: str, seed: int, path: Path) -> bool:
    """Whether the reader took the file; False is a refusal, anything else is raised."""
    path.write_bytes(spoilt(name, seed))
    try:
        READERS[name].read(path)
    except NumprobeError as error:
        message = str(error)
        if "\n" in message or len(message) > LONGEST_MESSAGE:
            raise AssertionError(f"a message of {len(message)} characters: {message[:200]!r}") from error
        return False
    return True
