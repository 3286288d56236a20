"""The facts of a passage, before any sentence is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from numprobe.drop.generator.chance import around, chance, pick, shuffled
from numprobe.drop.generator.facts import Fact
from numprobe.drop.generator.language import Domain, Measure, Table
from numprobe.drop.generator.names import Names
from numprobe.drop.generator.numerals import MONTHS
from numprobe.drop.generator.settings import Settings
from numprobe.numbers import Range

QUARTERS = ("first quarter", "second quarter", "third quarter", "fourth quarter")
EVENTS_SPAN = 60
"""Years within which the events of one passage lie."""
LAST_DAY = 28
"""A day that every month has."""
PLAYS = ("field goal", "field goal", "touchdown pass", "touchdown pass", "touchdown run")
POINTS = {"field goal": 3, "touchdown pass": 7, "touchdown run": 7}


@dataclass(frozen=True)
class Story:
    """Facts in the order of the passage, and the names that its other sentences may use."""

    facts: list[Fact]
    names: Names
    cast: dict[str, str] = field(default_factory=dict)


def draw_story(domain: Domain, settings: Settings, rng: np.random.Generator) -> Story:
    """A story of a domain: of its tables, or of a game."""
    draw = _tables if domain.tables else _game
    return draw(domain, around(settings.facts, rng), settings.range, rng)


def draw_value(numbers: Range | None, usual: tuple[int, int], step: int, rng: np.random.Generator) -> Decimal:
    """A quantity of the range that the settings give, or else a round one of its usual range."""
    if numbers:
        return Decimal(int(rng.integers(numbers.low, numbers.high, endpoint=True)))
    low, high = usual
    return Decimal(step * int(rng.integers(low // step, high // step, endpoint=True)))


def _game(domain: Domain, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
    """Plays in the order of the quarters, and the score that they add up to."""
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
        points[team] += POINTS[play]
    score = [Fact("points", team, Decimal(points[team])) for team in teams]
    return Story(plays + score, names, {"team": teams[0], "rival": teams[1]})


def _tables(domain: Domain, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
    """Entities with the same measures, told one entity or one measure after the other."""
    names = Names(rng)
    tables = shuffled(list(domain.tables.values()), rng)[: max(1, facts // 6)]
    told: list[Fact] = []
    for table in tables:
        measures = {key: domain.measures[key] for key in _some_measures(table, facts // len(tables), rng)}
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
        by_entity = chance(0.5, rng)
        told += [fact for group in (zip(*columns, strict=True) if by_entity else columns) for fact in group]
    return Story(told, names)


def _some_measures(table: Table, facts: int, rng: np.random.Generator) -> list[str]:
    """As many measures as leave at least three entities or so."""
    return shuffled(table.measures, rng)[: max(1, facts // 3)]


def _attributes(sort: str, rows: int, repeat: int, names: Names, rng: np.random.Generator) -> list[str]:
    pool = [names.draw(sort) for _ in range(-(-rows // repeat))]
    return pool if repeat == 1 else [pick(pool, rng) for _ in range(rows)]


def _values(measure: Measure, rows: int, numbers: Range | None, rng: np.random.Generator) -> Sequence[Decimal]:
    if measure.sort == "share":
        parts = rng.dirichlet(np.ones(rows + 1))[:rows]  # The rest of the whole goes unsaid.
        return [Decimal(int(1 + 990 * part)).scaleb(-1) for part in parts]
    if measure.sort == "event":
        start = int(rng.integers(*measure.range))
        return [Decimal(start + year) for year in rng.integers(EVENTS_SPAN, size=rows).tolist()]
    return [draw_value(numbers, measure.range, measure.step, rng) for _ in range(rows)]


def _day_and_month(measure: Measure, rng: np.random.Generator) -> tuple[str, str]:
    """Of an event both, the month or neither."""
    known = rng.integers(3) if measure.sort == "event" else 0
    return str(rng.integers(1, LAST_DAY, endpoint=True)) if known == 2 else "", pick(MONTHS, rng) if known else ""
