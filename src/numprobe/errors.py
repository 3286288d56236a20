"""Errors that a user can cause, and the suggestions that go with them."""

from collections.abc import Iterable


class NumprobeError(ValueError):
    """Something the user gave can't be used: one line that says what, where, and what to do."""


def unknown(kind: str, name: str, known: Iterable[str]) -> NumprobeError:
    """The error for a name that isn't there, with the nearest one that is.

    >>> str(unknown("task", "decodin", ["decoding", "addition"]))
    "unknown task 'decodin'; did you mean 'decoding'?"
    """
    import difflib

    choices = sorted(known)
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(choices)}"
    return NumprobeError(f"unknown {kind} {name!r}; {hint}")


def one_of(kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that isn't among the known ones.

    >>> one_of("task", "decoding", ["decoding", "addition"])
    """
    if name not in known:
        raise unknown(kind, name, known)


def at_least(least: int, **given: int) -> None:
    """Refuse whole numbers that are too small.

    >>> at_least(1, seeds=5)
    """
    for name, value in given.items():
        if value < least:
            raise NumprobeError(f"{name} must be at least {least}, not {value}")
