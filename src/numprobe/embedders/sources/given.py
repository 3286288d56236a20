"""Weights that the user has to give: which ones there are, where they are, and how to get them."""

import os
import tomllib
from collections.abc import Mapping
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
    """Weights of a row in the paper that are not on the package index."""

    name: str
    about: str
    kind: str
    how: str
    """Where to get the weights, and which option to set."""
    settings: Mapping[str, str]
    """Settings of the embedder: `given:NAME` is what the user gave, `given:NAME/*.json` a file in that folder."""
    shipped: str = ""
    """The folder of the package to use if the user gives nothing."""

    @property
    def place(self) -> str:
        """The path or hub id of the weights; empty if the user has not given any."""
        return os.environ.get(variable(self.name)) or (self.shipped and str(files("numprobe") / self.shipped))


@cache
def given_weights() -> Mapping[str, Given]:
    """Return the weights that can be given, by name.

    >>> ", ".join(given_weights())
    'word2vec, glove, elmo, bert, naqanet, naqanet-chars'
    """
    text = (files(__package__) / "given.toml").read_text(encoding="utf-8")
    return {name: Given(name, **table) for name, table in tomllib.loads(text).items()}


def _find_given(name: str) -> Given:
    one_of("weights to give", name, given_weights())
    return given_weights()[name]


def variable(name: str) -> str:
    """The environment variable that says where some weights are; worker processes inherit it.

    >>> variable("naqanet-chars")
    'NUMPROBE_WEIGHTS_NAQANET_CHARS'
    """
    return f"NUMPROBE_WEIGHTS_{name.upper().replace('-', '_')}"


def give(name: str, source: str) -> None:
    """Say where weights are: a file, a folder, or a hub id."""
    os.environ[variable(_find_given(name).name)] = source


def read_settings(file: str) -> dict[str, str]:
    """Read the table [weights] of a settings file: name = "file, folder or hub id"."""
    weights = read_toml(file, "settings").get("weights", {})
    if not isinstance(weights, dict) or not all(isinstance(source, str) for source in weights.values()):
        raise NumprobeError(f'{file}: [weights] must contain lines such as elmo = "path/to/elmo"')
    return weights


def resolve(source: str) -> str:
    """Replace `given:NAME` by what the user gave; return any other source as it is."""
    if not source.startswith(GIVEN):
        return source
    name, _, pattern = source.removeprefix(GIVEN).partition("/")
    given = _find_given(name)
    stay_inside(source, pattern)
    place = given.place
    if not place:
        raise NumprobeError(f"{name} is not here: {given.how}")
    if not pattern:
        return place
    found = sorted(map(str, Path(place).expanduser().glob(pattern)))
    if len(found) != 1:
        raise NumprobeError(f"{name}: {place} contains {len(found) or 'no'} files {pattern}; exactly one is needed")
    return found[0]


def stay_inside(source: str, part: str) -> None:
    """Refuse a part of a path that leads out of its folder."""
    if PurePath(part).is_absolute() or ".." in PurePath(part).parts:
        raise NumprobeError(f"{source!r} leads out of its folder")


def not_here(embedder: Any) -> str:
    """Say how to get weights that an embedder needs and the user has not given; empty if none are missing."""
    for field in fields(embedder):
        source = getattr(embedder, field.name)
        if isinstance(source, str) and source.startswith(GIVEN):
            given = _find_given(source.removeprefix(GIVEN).partition("/")[0])
            if not given.place:
                return given.how
    return ""
