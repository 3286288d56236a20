"""Where weights come from: a file or folder, the package index, the hub, or the user."""

import dataclasses
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from numprobe.embedders.sources.catalogue import PACKAGE, NamedWeights, find_weights, variable
from numprobe.embedders.sources.fetching import obtain
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors
from numprobe.files.untrusted import parse_toml, read_text
from numprobe.registry import Spec

GIVEN = "given:"
"""`given:NAME` is what the user gave, and `given:NAME/pattern` a file in it."""

SAMPLE = 1 << 20
"""Bytes that a fingerprint takes from the start, the middle and the end of a file."""


def is_trusted() -> bool:
    """Whether suites may name any file and run a model's own code: $NUMPROBE_TRUST, which `--trust` sets."""
    return os.environ.get("NUMPROBE_TRUST", "") not in ("", "0")


def refuse_reach(embedder: str, settings: Mapping[str, str]) -> None:
    """Refuse files outside the working directory, after following links, addresses, and models that run their own code.

    Settings that come from a suite have to pass this check unless the user trusts the suite.
    """
    if settings.get("trust_remote_code", "no") != "no":
        raise NumprobeError(f"{embedder} would run the model's own code; --trust lets a suite do that")
    if "of" in settings:  # a control names an embedder with settings of its own
        refuse_reach(settings["of"], dict(Spec.parse(settings["of"]).settings))
    here = Path.cwd().resolve()
    for value in settings.values():
        if "://" in value:
            raise NumprobeError(f"{embedder} names an address, which would get your key; --trust lets a suite do that")
        try:
            inside = Path(value).expanduser().resolve().is_relative_to(here)
        except (OSError, RuntimeError, ValueError):  # a link to itself, an unknown user's home, an impossible name
            inside = False
        if not inside:
            raise NumprobeError(f"{embedder} names a file outside the working directory; --trust lets a suite do that")


def give(name: str, source: str) -> None:
    """Say where weights are: a file, a folder, or a hub id."""
    os.environ[variable(find_weights(name, to_give=True).name)] = source


def read_settings(file: str) -> dict[str, str]:
    """Read the table [weights] of a settings file: name = "file, folder or hub id"."""
    weights = parse_toml(read_text(file, "settings"), file).get("weights", {})
    if not isinstance(weights, dict) or not all(isinstance(source, str) for source in weights.values()):
        raise NumprobeError(f'{file}: [weights] must contain lines such as elmo = "path/to/elmo"')
    return weights


def _entry(source: str) -> tuple[NamedWeights, str]:
    """The entry of the catalogue that a source names, and the file or pattern in its folder."""
    name, _, file = source.partition(":")[2].partition("/")
    stay_inside(source, file)
    return find_weights(name, to_give=source.startswith(GIVEN)), file


def stay_inside(source: str, part: str) -> None:
    """Refuse a part of a path that leads out of its folder."""
    if PurePath(part).is_absolute() or ".." in PurePath(part).parts:
        raise NumprobeError(f"{source!r} leads out of its folder")


def resolve(source: str) -> str:
    """Replace `given:NAME` by what the user gave; return any other source as it is."""
    if not source.startswith(GIVEN):
        return source
    given, pattern = _entry(source)
    place = given.place
    if not place:
        raise NumprobeError(f"{given.name} is not here: {given.how}")
    if not pattern:
        return place
    found = sorted(map(str, Path(place).expanduser().glob(pattern)))
    if len(found) != 1:
        count = len(found) or "no"
        raise NumprobeError(f"{given.name}: {place} contains {count} files {pattern}; exactly one is needed")
    return found[0]


def locate(source: str) -> Path | None:
    """Return the file or folder that a source names, after fetching it if necessary; None for a hub id."""
    source = resolve(source)
    if source.startswith(PACKAGE):
        entry, file = _entry(source)
        return obtain(entry) / file
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


def _named_sources(embedder: Any) -> list[str]:
    """The settings of an embedder that name weights of the catalogue."""
    embedder = getattr(embedder, "controlled", embedder)
    if not dataclasses.is_dataclass(embedder):  # a user's own
        return []
    values = (getattr(embedder, field.name) for field in dataclasses.fields(embedder))
    return [value for value in values if isinstance(value, str) and value.startswith((PACKAGE, GIVEN))]


def fetch(embedder: Any) -> None:
    """Fetch the weights that an embedder's settings name; refuse weights that the user has to give and has not."""
    for source in _named_sources(embedder):
        locate(source)


def not_here(embedder: Any) -> str:
    """Say how to get weights that an embedder needs and the user has not given; empty if none are missing."""
    needed = (_entry(source)[0] for source in _named_sources(embedder))
    return next(
        (entry.to_accept or entry.how for entry in needed if entry.to_accept or (entry.how and not entry.place)), ""
    )


def revision(*sources: str) -> str | None:
    """Identify weights by their revision in the catalogue or a fingerprint of their files; None for a hub id."""
    found = []
    for source in map(resolve, sources):
        if source.startswith(PACKAGE):
            found.append(_entry(source)[0].revision)
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
