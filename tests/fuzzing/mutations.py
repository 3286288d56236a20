"""Damaging files: flip, cut, repeat and overwrite bytes, and change values in JSON and TOML."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

LENGTHS = (0, 1, 2, 127, 128, 255, 256, 32767, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63 - 1, 2**64 - 1)
"""Wrong values for a field that contains a length."""

NUMBERS = (0, -1, 1, 10**6, 10**15, 10**30, 0.5, -0.0, 1e308, float("nan"), float("inf"))
TEXTS = (
    "",
    " ",
    "0",
    "-1",
    "9" * 5000,
    "../../etc/passwd",
    "/etc/passwd",
    "~/x",
    "a\0b",
    "<b>",
    "{}",
    "\ud800",
    "é" * 300,
)
CHANGES = (1, 1, 2, 4)
LONGEST_COPY = 2000
LONGEST_COPIED, LONGEST_TEXT = 30_000, 20_000
"""Longer lists and texts are not extended: a file of a gigabyte would test the machine and not the reader."""


def mutated_bytes(data: bytes, chance: random.Random) -> bytes:
    """Change some bytes."""
    made = bytearray(data)
    for _ in range(chance.choice(CHANGES)):
        at = chance.randrange(len(made) + 1)
        if chance.random() < 0.5:  # most errors are in the header, which is short
            at = min(at, chance.randrange(200))
        chance.choice(_BYTE_CHANGES)(made, at, chance)
    return bytes(made)


def _flip(made: bytearray, at: int, chance: random.Random) -> None:
    if at < len(made):
        made[at] ^= 1 << chance.randrange(8)


def _cut(made: bytearray, at: int, chance: random.Random) -> None:
    del made[at:]


def _remove(made: bytearray, at: int, chance: random.Random) -> None:
    del made[at : at + chance.randint(1, 40)]


def _insert(made: bytearray, at: int, chance: random.Random) -> None:
    made[at:at] = chance.randbytes(chance.randint(1, 40))


def _repeat(made: bytearray, at: int, chance: random.Random) -> None:
    start = chance.randrange(len(made) + 1)
    made[at:at] = made[start : start + chance.randint(1, LONGEST_COPY)]


def _length(made: bytearray, at: int, chance: random.Random) -> None:
    size = chance.choice((1, 2, 4, 8))
    at -= at % size if chance.random() < 0.7 else 0
    value = chance.choice(LENGTHS) % 256**size
    made[at : at + size] = value.to_bytes(size, chance.choice(("little", "big")))


def _digits(made: bytearray, at: int, chance: random.Random) -> None:
    """Replace a number in digits."""
    found = list(re.finditer(rb"-?\d+", bytes(made[: at + 4000])))
    if found:
        start, end = chance.choice(found).span()
        made[start:end] = str(chance.choice((*LENGTHS, -1, 10**20, "9" * 5000))).encode()


_BYTE_CHANGES = (_flip, _flip, _cut, _remove, _insert, _repeat, _length, _length, _digits)


def mutated_json(data: bytes, chance: random.Random) -> bytes:
    """Change some values of JSON, or some of its bytes."""
    if chance.random() < 0.4:
        return mutated_bytes(data, chance)
    value = json.loads(data)
    for _ in range(chance.choice(CHANGES)):
        value = _changed(value, chance)
    return json.dumps(value, ensure_ascii=chance.random() < 0.5).encode(errors="replace")


def _changed(value: Any, chance: random.Random) -> Any:
    """Change a value somewhere inside."""
    inside = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    if not inside or chance.random() < 0.05:
        return _other(value, chance)
    key = chance.choice(inside)
    value = value.copy()
    way = chance.random()
    if way < 0.1:
        del value[key]
    elif way < 0.2 and isinstance(value, dict):
        value[chance.choice(TEXTS)] = value.pop(key)
    elif way < 0.25 and isinstance(value, list) and len(json.dumps(value)) < LONGEST_COPIED:
        value.extend(value * chance.choice((1, 300)))
    else:
        value[key] = _changed(value[key], chance)
    return value


def _other(value: Any, chance: random.Random) -> Any:
    ways: list[Callable[[], Any]] = [
        lambda: chance.choice(NUMBERS),
        lambda: chance.choice(TEXTS),
        lambda: chance.choice((None, True, False, [], {}, [[]], {"": ""})),
        lambda: [value],
        lambda: {"key": value},
        lambda: _deep(chance.choice((5, 900))),
    ]
    if isinstance(value, str) and value:
        at = chance.randrange(len(value))
        ways += [
            lambda: value[:at],
            lambda: value[:at] + chance.choice(TEXTS) + value[at:],
            lambda: (value * 50)[:LONGEST_TEXT],
        ] * 2
    if isinstance(value, int):
        ways += [lambda: value + 1, lambda: -value, lambda: value * 10**9]
    return chance.choice(ways)()


def _deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def mutated_toml(data: bytes, chance: random.Random) -> bytes:
    """Change some values or lines of TOML, or some of its bytes."""
    if chance.random() < 0.3:
        return mutated_bytes(data, chance)
    lines = data.decode().splitlines()
    for _ in range(chance.choice(CHANGES)):
        at = chance.randrange(len(lines))
        way = chance.random()
        if way < 0.1 and len(lines) > 1:
            del lines[at]
        elif way < 0.2:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif way < 0.3:
            lines[at] = lines[at].replace('"', chance.choice(("", "'", '"""')), 1)
        elif way < 0.6:
            found = list(re.finditer(r"[\w.:-]+", lines[at])) or [re.match("", lines[at])]
            start, end = chance.choice(found).span()  # type: ignore[union-attr]
            lines[at] = lines[at][:start] + str(chance.choice((*TEXTS, *NUMBERS, *LENGTHS))) + lines[at][end:]
        elif "=" in lines[at]:
            key = lines[at].partition("=")[0]
            lines[at] = f"{key}= {chance.choice(_TOML_VALUES)}"
        if not lines:
            lines = [""]
    return "\n".join(lines).encode(errors="replace")


_TOML_VALUES = (
    "0", "-1", "99999999999999999999", "0xffffffffffffffffffffffffffff", "0x" + "f" * 9000, "1e400", "nan", "true",
    '""', "[]", "[[]]", "{}", "[" * 900 + "]" * 900, '["value", "random"]', '"0:9999999"', '"0:99999999999999999999"',
    '"1:2,3:4,5:6"', "1979-05-27", "[" + '"value",' * 3000 + "]", '"word-vectors:path=/etc/passwd"',
    '"transformer:model=.,trust_remote_code=yes"', '"random:dimension=999999999"', '"given:elmo"',
    '"elmo:weights=given:x"', '"word-vectors:path=given:glove/../../x"', '"\\u001b[31m"', "[1, 2, 3]",
    '"minilm-l6:model=package:minilm-l6/../../x"',
)  # fmt: skip
