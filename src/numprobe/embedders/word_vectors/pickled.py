"""A pickle read as data: nothing is imported and nothing called, and nothing is larger than the file makes it.

Only what NumPy arrays, dictionaries, lists, texts and numbers need is read; every other instruction is refused.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

MOST_AT_ONCE = 1 << 20


class Name(NamedTuple):
    """Of a class or function, which is not looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass
class Object:
    """What a pickle would have made: by what, out of what, and in which state it would have been put."""

    maker: Any
    arguments: Any
    state: Any = None


_MARK = object()
_CONSTANTS: dict[int, Any] = {ord("N"): None, 0x88: True, 0x89: False}
_TEXTS = {0x8C: "<B", ord("X"): "<I", 0x8D: "<Q"}
_BYTES = {ord("C"): "<B", ord("B"): "<I", 0x8E: "<Q"}
_NUMBERS = {ord("K"): "<B", ord("M"): "<H", ord("J"): "<i", ord("G"): ">d"}
_PUTS, _GETS = {ord("q"): "<B", ord("r"): "<I"}, {ord("h"): "<B", ord("j"): "<I"}
_TUPLES = {0x85: 1, 0x86: 2, 0x87: 3}
_SKIPPED = {0x80: 1, 0x95: 8}
"""Protocol and frame, with the bytes that follow them."""


def load(read: Callable[[int], bytes], readline: Callable[[int], bytes], allowed: Callable[[Name], bool]) -> Any:
    """What a pickle holds; a ValueError, TypeError, IndexError or KeyError where it is none or holds more."""

    def take(count: int) -> bytes:
        parts = []
        while count:
            parts.append(read(min(count, MOST_AT_ONCE)))
            if not parts[-1]:
                raise ValueError("it ends too early")
            count -= len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def number(layout: str) -> Any:
        return struct.unpack(layout, take(struct.calcsize(layout)))[0]

    def name(module: Any, own: Any) -> Name:
        found = Name(str(module), str(own))
        if not allowed(found):
            raise ValueError(f"it holds {found}, which KeyedVectors need not")
        return found

    def since_mark() -> list[Any]:
        items: list[Any] = []
        while (item := stack.pop()) is not _MARK:
            items.append(item)
        return items[::-1]

    def set_items(items: list[Any]) -> None:
        stack[-1].update(zip(items[::2], items[1::2], strict=True))

    stack: list[Any] = []
    memo: dict[int, Any] = {}
    while (code := take(1)[0]) != ord("."):
        if code in _TEXTS:
            stack.append(take(number(_TEXTS[code])).decode("utf-8", "surrogatepass"))
        elif code == 0x94:
            memo[len(memo)] = stack[-1]
        elif code in _NUMBERS:
            stack.append(number(_NUMBERS[code]))
        elif code in _GETS:
            stack.append(memo[number(_GETS[code])])
        elif code in _PUTS:
            memo[number(_PUTS[code])] = stack[-1]
        elif code in _BYTES:
            stack.append(take(number(_BYTES[code])))
        elif code in _CONSTANTS:
            stack.append(_CONSTANTS[code])
        elif code in _TUPLES:
            stack[-_TUPLES[code] :] = [tuple(stack[-_TUPLES[code] :])]
        elif code in _SKIPPED:
            take(_SKIPPED[code])
        else:
            match chr(code):
                case "(":
                    stack.append(_MARK)
                case "}":
                    stack.append({})
                case "]":
                    stack.append([])
                case ")":
                    stack.append(())
                case "t":
                    stack.append(tuple(since_mark()))
                case "\x91":
                    stack.append(frozenset(since_mark()))
                case "u":
                    set_items(since_mark())
                case "s":
                    set_items([stack.pop(-2), stack.pop()])
                case "e":
                    items = since_mark()
                    stack[-1].extend(items)
                case "a":
                    item = stack.pop()
                    stack[-1].append(item)
                case "\x8a":
                    stack.append(int.from_bytes(take(number("<B")), "little", signed=True))
                case "c":
                    module, own = (readline(MOST_AT_ONCE).decode().rstrip("\n") for _ in range(2))
                    stack.append(name(module, own))
                case "\x93":
                    own = stack.pop()
                    stack.append(name(stack.pop(), own))
                case "R" | "\x81":
                    arguments = stack.pop()
                    stack.append(Object(stack.pop(), arguments))
                case "b":
                    state = stack.pop()
                    stack[-1].state = state
                case other:
                    raise ValueError(f"it holds the instruction {other!r}, which KeyedVectors need not")
    return stack.pop()
