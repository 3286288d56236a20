"""Telling whoever watches how far a long read or a download has come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watcher = Callable[[str, int, int], None]
"""(what is read, bytes done, bytes in all or 0 where nobody knows)"""

_watchers: list[Watcher] = []


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Have `watcher` told while the block runs."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def tell(what: str, done: int, total: int) -> None:
    for watcher in _watchers:
        watcher(what, done, total)
