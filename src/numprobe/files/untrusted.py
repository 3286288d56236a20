"""What readers of strangers' files share: how much they may become, JSON and TOML, and what a message quotes."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError

EXPANSION = 100
ALWAYS = 1 << 26
"""What a file unpacks to, or says it holds, may be so many times its own size, and this many bytes in any case."""

LONGEST_TOML = 1 << 20
"""Bytes of a suite, a catalogue or a settings file."""

QUOTED = 80
"""Characters of a stranger's value in a message."""


def most_bytes(size: int) -> int:
    """How large the contents of a file of so many bytes may be: vectors and weights shrink tenfold at best."""
    return max(ALWAYS, EXPANSION * size)


def refuse_bomb(path: object, size: int, promised: int) -> None:
    """Refuse contents that are out of all proportion to their file, before anything is allocated for them.

    >>> refuse_bomb("weights.hdf5", 1_000_000, 93_600_000)
    """
    if promised > most_bytes(size):
        raise NumprobeError(
            f"{path}: {size:,} bytes would become {promised:,}, more than {EXPANSION} times as many; "
            "unpack it yourself if that is meant"
        )


def shortened(value: object, write: Callable[[Any], str] = repr) -> str:
    """How a message quotes a value that may be of any length.

    >>> shortened("seven"), len(shortened("7" * 1000))
    ("'seven'", 81)
    """
    try:
        text = write(value[: 2 * QUOTED] if isinstance(value, str | bytes | list | tuple) else value)
    except (ValueError, RecursionError):  # Python does not write whole numbers of thousands of digits
        return f"this {type(value).__name__}"
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def parse_json(text: str, where: object, most: int | None = None) -> Any:
    """What a text of JSON holds; refused where it nests too deeply, or where a text in it could not be written."""
    if most is not None and len(text) > most:
        raise NumprobeError(f"{where} is not JSON of the expected kind: it is longer than {most:,} characters")
    try:
        value = json.loads(text)
        if re.search(r"\\u[dD][89a-fA-F]", text):  # half a character: fine in JSON, and in no file or terminal
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise NumprobeError(f"{where} is not JSON of the expected kind: it nests too deeply") from None
    except ValueError as error:
        raise NumprobeError(f"{where} is not JSON: {first_line(error)}") from error
    return value


def read_json(path: Path, most: int | None = None) -> Any:
    """What a JSON file holds."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(-1 if most is None else most + 1)
    except OSError as error:
        raise NumprobeError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NumprobeError(f"{path} is not JSON: {error}") from error
    return parse_json(text, path, most)


def parse_toml(text: str, where: object) -> dict[str, Any]:
    """What a text of TOML holds."""
    if len(text) > LONGEST_TOML:
        raise NumprobeError(f"{where}: longer than {LONGEST_TOML:,} characters")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NumprobeError(f"{where}: it nests too deeply") from None
    except ValueError as error:
        raise NumprobeError(f"{where}: {first_line(error)}") from error


def read_toml(path: str, what: str) -> dict[str, Any]:
    """What a TOML file holds."""
    return parse_toml(read_text(path, what), path)


def read_text(path: str, what: str) -> str:
    """A short text file; `what` it is says a message."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(LONGEST_TOML + 1)
    except (OSError, ValueError) as error:  # a name may also hold what no file's name can
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise NumprobeError(f"can't read {what} {path}: {reason}") from error


def first_line(error: Exception) -> str:
    """What a message repeats of another one, which may quote a whole file."""
    return str(error).partition("\n")[0][: 2 * QUOTED]
