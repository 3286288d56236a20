"""Errors that a user can cause, and the suggestions that go with them."""

from collections.abc import Iterable

LONGEST_NAME = 200
"""Characters of an unknown name that a message repeats."""


class NumprobeError(ValueError):
    """Something the user gave can't be used: one line that says what, where, and what to do.

    >>> import numprobe
    >>> try:
    ...     numprobe.probe("value", task="decodin")
    ... except numprobe.NumprobeError as error:
    ...     print(error)
    unknown task 'decodin'; did you mean 'decoding'?
    """


def unknown(kind: str, name: str, known: Iterable[str]) -> NumprobeError:
    """The error for a name that isn't there, with the nearest one that is.

    >>> str(unknown("task", "decodin", ["decoding", "addition"]))
    "unknown task 'decodin'; did you mean 'decoding'?"
    """
    import difflib

    choices = sorted(known)
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(choices)}"
    return NumprobeError(f"unknown {kind} {name!r}; {hint}")


def one_of(kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that isn't among the known ones.

    >>> one_of("task", "decoding", ["decoding", "addition"])
    """
    if name not in known:
        raise unknown(kind, name, known)


def one_line(text: object) -> str:
    """A text that may hold anything, for a terminal: on one line, and without its control characters.

    >>> one_line("red \\x1b[31m\\nagain")
    'red \\\\x1b[31m\\\\nagain'
    """
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in str(text))


def at_most(most: int, **given: int) -> None:
    """Refuse whole numbers that ask for more memory or time than anyone means.

    >>> at_most(1000, seeds=5)
    """
    for name, value in given.items():
        if value > most:
            raise NumprobeError(f"{name} must be at most {most:,}")


def at_least(least: int, **given: int) -> None:
    """Refuse whole numbers that are too small.

    >>> at_least(1, seeds=5)
    """
    for name, value in given.items():
        if value < least:
            raise NumprobeError(f"{name} must be at least {least}, not {value}")
