"""The catalogue: weights with a name, which are on the package index or which the user has to give."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from numprobe.errors import one_of
from numprobe.files import cache_folder

PACKAGE = "package:"
"""`package:NAME` and `package:NAME/file` are weights on the package index."""


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
    """The member that is an archive (a zip or a .tar.gz), or a piece of an archive or a file in several wheels."""

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True)
class NamedWeights:
    """Weights with a name: where they come from, and the embedder that reads them."""

    name: str
    about: str
    kind: str
    settings: Mapping[str, str]
    """Settings of the embedder."""
    licence: str = ""
    wheels: tuple[Wheel, ...] = ()
    files: tuple[str, ...] = ()
    """The members to take from the wheel, or from the archive that the pieces make up."""
    whole: str = ""
    """The name of the file that the pieces make up, if they make up no archive."""
    terms: str = ""
    """Where the terms stand that whoever fetches the weights has to accept."""
    how: str = ""
    """Where the user gets weights that are not on the package index, and which option to set."""
    shipped: str = ""
    """The folder of the package to use if the user gives nothing."""

    @property
    def members(self) -> dict[str, str]:
        """Name in the cache -> member. The name is the last part only, so that every file stays in its folder."""
        return {member.rpartition("/")[2]: member for member in self.files}

    @property
    def folder(self) -> Path:
        """Where the files are once they are fetched."""
        return cache_folder() / "weights" / f"{self.name}-{self.revision}"

    @property
    def to_accept(self) -> str:
        """What to do before the weights can be fetched; empty if they are here, or have no terms to accept."""
        if not self.terms or self.folder.is_dir():
            return ""
        return f"read its terms ({self.terms}) and accept them with `numprobe fetch {self.name} --accept-terms`"

    @property
    def size(self) -> int:
        """Bytes to fetch."""
        return sum(wheel.size for wheel in self.wheels)

    @property
    def others(self) -> list[str]:
        """Names of further weights on the package index that the settings name, such as those with the tokenizer."""
        sources = (source.partition("/")[0] for source in self.settings.values() if source.startswith(PACKAGE))
        return [name for source in sources if (name := source.removeprefix(PACKAGE)) != self.name]

    @property
    def revision(self) -> str:
        """The version and the beginning of each wheel's SHA-256."""
        return "-".join([self.wheels[0].version, *(wheel.sha256[:8] for wheel in self.wheels)])

    @property
    def place(self) -> str:
        """The path or hub id that the user gave; empty if there is none."""
        return os.environ.get(variable(self.name)) or (self.shipped and str(files("numprobe") / self.shipped))


@cache
def catalogue() -> Mapping[str, NamedWeights]:
    """Return all weights with a name.

    >>> ", ".join(name for name, entry in catalogue().items() if entry.how)
    'word2vec, glove, elmo, bert, naqanet, naqanet-chars, naqanet-contextual'
    """
    tables = tomllib.loads((files(__package__) / "catalogue.toml").read_text(encoding="utf-8"))
    for table in tables.values():
        table["wheels"] = tuple(Wheel(**wheel) for wheel in table.get("wheels", ()))
    return {name: NamedWeights(name, **table) for name, table in tables.items()}


def find_weights(name: str, to_give: bool = False) -> NamedWeights:
    """Return weights on the package index, or weights that the user has to give.

    >>> find_weights("glove-6b-50d").revision
    '1.0.0-5c2b08fb'
    """
    fitting = {own: entry for own, entry in catalogue().items() if bool(entry.how) == to_give}
    one_of("weights to give" if to_give else "weights", name, fitting)
    return fitting[name]


def variable(name: str) -> str:
    """The environment variable that says where some weights are; worker processes inherit it.

    >>> variable("naqanet-chars")
    'NUMPROBE_WEIGHTS_NAQANET_CHARS'
    """
    return f"NUMPROBE_WEIGHTS_{name.upper().replace('-', '_')}"
