"""Untrusted files: limits on size, JSON and TOML, and quoting values in messages."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError

EXPANSION = 100
ALWAYS = 1 << 26
"""A file may unpack to, or claim to contain, EXPANSION times its own size, and ALWAYS bytes in any case.

Vectors and weights compress tenfold at best.
"""

LONGEST_TOML = 1 << 20
"""Most characters in a suite or a settings file."""

QUOTED = 80
"""Most characters of an untrusted value in a message."""


def refuse_bomb(path: object, size: int, promised: int) -> None:
    """Refuse contents that are implausibly large for their file, before any memory is allocated.

    >>> refuse_bomb("weights.hdf5", 1_000_000, 93_600_000)
    """
    if promised > max(ALWAYS, EXPANSION * size):
        raise NumprobeError(
            f"{path}: {size:,} bytes would become {promised:,}, more than {EXPANSION} times as many; "
            "if that is intended, unpack it yourself"
        )


def shortened(value: object, write: Callable[[Any], str] = repr) -> str:
    """Quote a value of any length in a message.

    >>> shortened("seven"), len(shortened("7" * 1000))
    ("'seven'", 81)
    """
    try:
        text = write(value[: 2 * QUOTED] if isinstance(value, str | bytes | list | tuple) else value)
    except (ValueError, RecursionError):  # Python refuses to write integers of thousands of digits
        return f"this {type(value).__name__}"
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def parse_json(text: str, where: object) -> Any:
    """Parse JSON; refuse deep nesting, and strings that can't be encoded."""
    try:
        value = json.loads(text)
        if re.search(r"\\u[dD][89a-fA-F]", text):  # half a surrogate pair, which can't be encoded
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise NumprobeError(f"{where} is not JSON of the expected kind: it nests too deeply") from None
    except ValueError as error:
        raise NumprobeError(f"{where} is not JSON: {first_line(error)}") from error
    return value


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise NumprobeError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NumprobeError(f"{path} is not JSON: {error}") from error
    return parse_json(text, path)


def parse_toml(text: str, where: object) -> dict[str, Any]:
    """Parse TOML."""
    if len(text) > LONGEST_TOML:
        raise NumprobeError(f"{where} is longer than {LONGEST_TOML:,} characters")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NumprobeError(f"{where}: it nests too deeply") from None
    except ValueError as error:
        raise NumprobeError(f"{where}: {first_line(error)}") from error


def read_text(path: str, what: str) -> str:
    """Read a short text file; `what` names its kind in error messages."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(LONGEST_TOML + 1)
    except (OSError, ValueError) as error:  # ValueError for text that is not UTF-8, and for impossible file names
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise NumprobeError(f"can't read {what} {path}: {reason}") from error


def first_line(error: object) -> str:
    """The first line of an error or of an answer, shortened, since either may quote a whole file."""
    return str(error).partition("\n")[0][: 2 * QUOTED]
