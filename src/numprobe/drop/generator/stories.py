"""The facts and names of a passage, drawn before any sentence is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from numprobe.drop.generator.facts import Fact
from numprobe.drop.generator.language import Domain, Measure, english, slots
from numprobe.drop.generator.settings import GeneratorSettings, around, pick, shuffled
from numprobe.drop.quantities import MONTHS
from numprobe.numbers import Range

QUARTERS = ("first quarter", "second quarter", "third quarter", "fourth quarter")
EVENTS_SPAN = 60
"""The events of one passage lie within this many years."""
LAST_DAY = 28
"""The last day that every month has."""
PLAYS = ("field goal", "field goal", "touchdown pass", "touchdown pass", "touchdown run")
PLAY_POINTS = {"field goal": 3, "touchdown pass": 7, "touchdown run": 7}


class Names:
    """The names of people, places, teams and so on in one passage; none is drawn twice."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def draw(self, sort: str) -> str:
        """A new person, place, team, …; its last word is unique in the passage, so it can stand for the name."""
        while True:
            pattern: str = pick(english("names")["patterns"][sort], self._rng)
            words = english("names")["parts"]
            name = pattern.format_map({part: pick(words[part].split(), self._rng) for part in sorted(slots(pattern))})
            last = name.split()[-1]
            if last not in self._used:
                self._used.add(last)
                return name


@dataclass(frozen=True)
class Story:
    """Facts in the order of the passage, and the names that its other sentences may use."""

    facts: list[Fact]
    names: Names
    cast: dict[str, str] = field(default_factory=dict)


def draw_story(domain: Domain, settings: GeneratorSettings, rng: np.random.Generator) -> Story:
    """A story about the tables of a domain, or about a game."""
    draw = _tables if domain.tables else _game
    return draw(domain, around(settings.facts, rng), settings.range, rng)


def draw_value(numbers: Range | None, usual: tuple[int, int], step: int, rng: np.random.Generator) -> Decimal:
    """A quantity from the range in the settings, or else a round one from its usual range."""
    if numbers:
        return Decimal(int(rng.integers(numbers.low, numbers.high, endpoint=True)))
    low, high = usual
    return Decimal(step * int(rng.integers(low // step, high // step, endpoint=True)))


def _game(domain: Domain, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
    """Plays in the order of the quarters, and the final score."""
    names = Names(rng)
    teams = [names.draw("team") for _ in range(2)]
    kickers, passers, runners, receivers = (
        {team: [names.draw("person") for _ in range(size)] for team in teams} for size in (1, 1, 2, 3)
    )
    players = {"field goal": kickers, "touchdown pass": passers, "touchdown run": runners}
    plays = []
    points = dict.fromkeys(teams, 0)
    for quarter in sorted(rng.integers(len(QUARTERS), size=facts - len(teams)).tolist()):
        team, play = pick(teams, rng), pick(PLAYS, rng)
        half = "first half" if quarter < 2 else "second half"
        told = {"team": team, "quarter": QUARTERS[quarter], "half": half}
        if play == "touchdown pass":
            told["receiver"] = pick(receivers[team], rng)
        value = draw_value(numbers, domain.measures[play].range, 1, rng)
        plays.append(Fact(play, pick(players[play][team], rng), value, told))
        points[team] += PLAY_POINTS[play]
    score = [Fact("points", team, Decimal(points[team])) for team in teams]
    return Story(plays + score, names, {"team": teams[0], "rival": teams[1]})


def _tables(domain: Domain, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
    """Entities with the same measures, entity by entity or measure by measure."""
    names = Names(rng)
    tables = shuffled(list(domain.tables.values()), rng)[: max(1, facts // 6)]
    told: list[Fact] = []
    for table in tables:
        # Few enough measures to leave room for about three entities.
        some = shuffled(table.measures, rng)[: max(1, facts // len(tables) // 3)]
        measures = {key: domain.measures[key] for key in some}
        rows = max(3, round(facts / len(tables) / len(measures)))
        entities = [names.draw(table.name) for _ in range(rows)]
        attributes = {
            key: _attributes(sort, rows, table.repeat.get(key, 1), names, rng) for key, sort in table.about.items()
        }
        columns = []
        for key, measure in measures.items():
            values = _values(measure, rows, numbers, rng)
            about_each = [{part: attributes[part][row] for part in measure.about} for row in range(rows)]
            columns.append(
                [
                    Fact(key, entity, value, told_with_it, *_day_and_month(measure, rng))
                    for entity, value, told_with_it in zip(entities, values, about_each, strict=True)
                ]
            )
        by_entity = rng.random() < 0.5
        told += [fact for group in (zip(*columns, strict=True) if by_entity else columns) for fact in group]
    return Story(told, names)


def _attributes(sort: str, rows: int, repeat: int, names: Names, rng: np.random.Generator) -> list[str]:
    pool = [names.draw(sort) for _ in range(-(-rows // repeat))]
    return pool if repeat == 1 else [pick(pool, rng) for _ in range(rows)]


def _values(measure: Measure, rows: int, numbers: Range | None, rng: np.random.Generator) -> Sequence[Decimal]:
    if measure.sort == "share":
        parts = rng.dirichlet(np.ones(rows + 1))[:rows]  # The passage doesn't mention the rest of the whole.
        return [Decimal(int(1 + 990 * part)).scaleb(-1) for part in parts]
    if measure.sort == "event":
        start = int(rng.integers(*measure.range))
        return [Decimal(start + year) for year in rng.integers(EVENTS_SPAN, size=rows).tolist()]
    return [draw_value(numbers, measure.range, measure.step, rng) for _ in range(rows)]


def _day_and_month(measure: Measure, rng: np.random.Generator) -> tuple[str, str]:
    """For an event both, the month alone or neither; for anything else neither."""
    known = rng.integers(3) if measure.sort == "event" else 0
    return str(rng.integers(1, LAST_DAY, endpoint=True)) if known == 2 else "", pick(MONTHS, rng) if known else ""
