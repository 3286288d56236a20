"""Pickles as plain values. Nothing that a pickle names is imported, and nothing is called.

A pickle is a program for a small machine. The one below knows only the instructions that make values. Where a pickle
wants something called, it keeps a record of the name and the arguments.
"""

import pickletools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

DICTS = ("collections.OrderedDict", "collections.defaultdict")
CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
EMPTY: Mapping[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
    "EMPTY_SET": list,  # a set would hash its items
}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
WRITTEN = (
    *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
)
"""Instructions whose argument is the value."""


@dataclass(frozen=True, slots=True)
class Name:
    """A class or a function that a pickle names."""

    text: str


@dataclass(eq=False, repr=False, slots=True)
class Record:
    """What a pickle wants called, with which arguments, and the state that it gives to the outcome."""

    name: str
    arguments: tuple[Any, ...]
    state: Any = None

    @property
    def fields(self) -> Mapping[str, Any]:
        """The state, where it is a dict, as it is for most objects."""
        return self.state if isinstance(self.state, dict) else {}


def records(value: Any, name: str) -> Iterator[Record]:
    """The records of a class anywhere in a value, each once.

    >>> one, other = Record("a.B", ()), Record("a.C", ())
    >>> [found is one for found in records({"x": [one, (one, other)]}, "a.B")]
    [True]
    """
    seen: set[int] = set()
    left = [value]
    while left:
        own = left.pop()
        if not isinstance(own, dict | list | tuple | Record) or id(own) in seen:
            continue
        seen.add(id(own))
        if isinstance(own, Record):
            if own.name == name:
                yield own
            left += [own.state, own.arguments]
        else:
            left += own.values() if isinstance(own, dict) else own


def unpickled(
    file: BinaryIO,
    call: Callable[[str, tuple[Any, ...]], Any] = Record,
    refer: Callable[[Any], Any] | None = None,
) -> Any:
    """The value of one pickle in a file in memory. Damaged ones raise LookupError, TypeError or ValueError.

    `call` gets each name that the pickle wants called, and `refer` what it says of values outside of it.
    """
    machine = _Machine(call, refer)
    for instruction, argument, _ in pickletools.genops(file):
        machine.do(instruction.name, argument)
    return machine.stack.pop()


@dataclass
class _Machine:
    """Runs the instructions of one pickle."""

    call: Callable[[str, tuple[Any, ...]], Any]
    refer: Callable[[Any], Any] | None
    stack: list[Any] = field(default_factory=list)
    marks: list[list[Any]] = field(default_factory=list)
    """What lay on the stack at each mark."""
    memo: dict[int, Any] = field(default_factory=dict)

    def do(self, name: str, argument: Any) -> None:
        if name in WRITTEN:
            self.stack.append(argument)
        elif name in CONSTANTS:
            self.stack.append(CONSTANTS[name])
        elif name in EMPTY:
            self.stack.append(EMPTY[name]())
        elif name in TUPLES:
            self.stack.append(tuple(self.last(TUPLES[name])))
        else:
            self.act(name, argument)

    def act(self, name: str, argument: Any) -> None:
        match name:
            case "PROTO" | "FRAME" | "STOP":
                pass
            case "MARK":
                self.marks.append(self.stack)
                self.stack = []
            case "TUPLE":
                items = self.since_mark()
                self.stack.append(tuple(items))
            case "MEMOIZE":
                self.memo[len(self.memo)] = self.stack[-1]
            case "BINPUT" | "LONG_BINPUT":
                self.memo[argument] = self.stack[-1]
            case "BINGET" | "LONG_BINGET":
                self.stack.append(self.memo[argument])
            case "APPEND" | "APPENDS" | "ADDITEMS":
                items = self.last(1) if name == "APPEND" else self.since_mark()
                self.top(list).extend(items)
            case "SETITEM" | "SETITEMS":
                items = self.last(2) if name == "SETITEM" else self.since_mark()
                self.top(dict).update(_pairs(items))
            case "GLOBAL":
                self.stack.append(Name(argument.replace(" ", ".", 1)))
            case "STACK_GLOBAL":
                parts = self.last(2)
                if not all(isinstance(part, str) for part in parts):
                    raise ValueError("a name that is not text")
                self.stack.append(Name(".".join(parts)))
            case "REDUCE" | "NEWOBJ":
                function, arguments = self.last(2)
                if not isinstance(function, Name) or not isinstance(arguments, tuple):
                    raise ValueError("a call of something that is not a class or a function")
                self.stack.append({} if function.text in DICTS else self.call(function.text, arguments))
            case "BUILD":
                (state,) = self.last(1)
                if type(self.stack[-1]) is not dict:  # what torch notes about a dict of weights is dropped
                    self.top(Record).state = state
            case "BINPERSID" if self.refer:
                self.stack.append(self.refer(self.stack.pop()))
            case _:
                raise ValueError(f"the instruction {name} of a pickle, which numprobe does not know")

    def last(self, count: int) -> list[Any]:
        """Take the last values off the stack."""
        if len(self.stack) < count:
            raise LookupError
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    def since_mark(self) -> list[Any]:
        taken, self.stack = self.stack, self.marks.pop()
        return taken

    def top(self, kind: type[Any]) -> Any:
        """The last value on the stack, which has to be of a kind."""
        if type(self.stack[-1]) is not kind:
            raise ValueError(f"items or a state for a {type(self.stack[-1]).__name__}, which takes none")
        return self.stack[-1]


def _pairs(items: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
    """Keys and values. A key is text: tuples of tuples, and numbers chosen for it, take forever to hash or to find."""
    if len(items) % 2 or not all(isinstance(key, str | bytes) for key in items[::2]):
        raise ValueError("a dict with a key that is not text, or without a value")
    return zip(items[::2], items[1::2], strict=True)
