"""Weights that only the user can give: which there are, where they were given, and how to get them."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Any

from numprobe.errors import NumprobeError, one_of
from numprobe.files.untrusted import read_toml

GIVEN = "given:"


@dataclass(frozen=True)
class Given:
    """A row of the paper whose weights no package index carries."""

    name: str
    about: str
    kind: str
    how: str
    """Where to get them, and what to give."""
    settings: Mapping[str, str]
    """Those of the embedder that reads them: `given:NAME` is what was given, `given:NAME/*.json` a file in it."""
    shipped: str = ""
    """The folder inside the package that is used unless another is given."""

    @property
    def place(self) -> str:
        """Where the weights are; empty if they are not here."""
        return os.environ.get(variable(self.name)) or (self.shipped and str(files("numprobe") / self.shipped))


@cache
def given_weights() -> Mapping[str, Given]:
    """The weights that can be given, by name.

    >>> ", ".join(given_weights())
    'word2vec, glove, elmo, bert, naqanet, naqanet-chars'
    """
    text = (files(__package__) / "given.toml").read_text(encoding="utf-8")
    return {name: Given(name, **table) for name, table in tomllib.loads(text).items()}


def variable(name: str) -> str:
    """The variable of the environment that says where some weights are; worker processes see it too.

    >>> variable("naqanet-chars")
    'NUMPROBE_WEIGHTS_NAQANET_CHARS'
    """
    return f"NUMPROBE_WEIGHTS_{name.upper().replace('-', '_')}"


def give(name: str, source: str) -> None:
    """Say where weights are: a file, a folder, or an id of the hub."""
    one_of("weights to give", name, given_weights())
    os.environ[variable(name)] = source


def read_settings(file: str) -> dict[str, str]:
    """The weights that a settings file gives: its table [weights], name = "file, folder or hub id"."""
    weights = read_toml(file, "settings").get("weights", {})
    if not isinstance(weights, dict) or not all(isinstance(source, str) for source in weights.values()):
        raise NumprobeError(f'{file}: [weights] must be lines such as elmo = "path/to/elmo"')
    return weights


def resolve(source: str) -> str:
    """What was given for a source that says `given:`; any other is itself."""
    if not source.startswith(GIVEN):
        return source
    name, _, pattern = source.removeprefix(GIVEN).partition("/")
    one_of("weights to give", name, given_weights())
    stay_inside(source, pattern)
    given = given_weights()[name]
    place = given.place
    if not place:
        raise NumprobeError(f"{name} is not here: {given.how}")
    if not pattern:
        return place
    found = sorted(map(str, Path(place).expanduser().glob(pattern)))
    if len(found) != 1:
        raise NumprobeError(f"{name}: {place} holds {len(found) or 'no'} files {pattern}, and one is needed")
    return found[0]


def stay_inside(source: str, part: str) -> None:
    """Refuse a part of a path that leads out of the folder that it is in."""
    if PurePath(part).is_absolute() or ".." in PurePath(part).parts:
        raise NumprobeError(f"{source!r} leads out of its folder")


def not_here(embedder: Any) -> str:
    """How to get the weights of an embedder that have to be given and were not; else nothing."""
    for name in _names(embedder):
        one_of("weights to give", name, given_weights())
        if not given_weights()[name].place:
            return given_weights()[name].how
    return ""


def _names(embedder: Any) -> Iterator[str]:
    for field in fields(embedder):
        source = getattr(embedder, field.name)
        if isinstance(source, str) and source.startswith(GIVEN):
            yield source.removeprefix(GIVEN).partition("/")[0]
