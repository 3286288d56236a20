"""Names of people, places, teams and so on, composed of parts."""

from functools import cache

import numpy as np

from numprobe.drop.generator.chance import pick
from numprobe.drop.generator.language import english, slots


@cache
def _parts() -> dict[str, list[str]]:
    return {part: words.split() for part, words in english("names")["parts"].items()}


@cache
def _patterns(sort: str) -> list[tuple[str, list[str]]]:
    return [(pattern, sorted(slots(pattern))) for pattern in english("names")["patterns"][sort]]


class Names:
    """The names of one passage: none is drawn twice."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def draw(self, sort: str) -> str:
        """A new name of a sort: person, place, team, …; its last word is no other name's, so it can stand for it."""
        while True:
            pattern, parts = pick(_patterns(sort), self._rng)
            name = pattern.format_map({part: pick(_parts()[part], self._rng) for part in parts})
            last = name.split()[-1]
            if last not in self._used:
                self._used.add(last)
                return name
