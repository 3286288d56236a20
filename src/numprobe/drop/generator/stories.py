"""The facts of a passage, before any sentence is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from numprobe.drop.generator.chance import about, chance, pick, shuffled
from numprobe.drop.generator.facts import Fact
from numprobe.drop.generator.language import Measure, Table, domain
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


def draw_story(name: str, settings: Settings, rng: np.random.Generator) -> Story:
    """A story of a domain."""
    draw = _game if name == "game" else _tables
    return draw(name, about(settings.facts, rng), settings.range, rng)


def draw_value(numbers: Range | None, usual: tuple[int, int], step: int, rng: np.random.Generator) -> Decimal:
    """A quantity of the range that the settings give, or else a round one of its usual range."""
    if numbers:
        return Decimal(int(rng.integers(numbers.low, numbers.high, endpoint=True)))
    low, high = usual
    return Decimal(step * int(rng.integers(low // step, high // step, endpoint=True)))


def _game(name: str, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
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
        value = draw_value(numbers, domain(name).measures[play].range, 1, rng)
        plays.append(Fact(play, pick(players[play][team], rng), value, told))
        points[team] += POINTS[play]
    score = [Fact("points", team, Decimal(points[team])) for team in teams]
    return Story(plays + score, names, {"team": teams[0], "rival": teams[1]})


def _tables(name: str, facts: int, numbers: Range | None, rng: np.random.Generator) -> Story:
    """Entities with the same measures, told one entity or one measure after the other."""
    names = Names(rng)
    spoken = domain(name)
    tables = shuffled(list(spoken.tables.values()), rng)
    tables = tables[: max(1, facts // 6)]
    told: list[Fact] = []
    for table in tables:
        measures = {key: spoken.measures[key] for key in _some_measures(table, facts // len(tables), rng)}
        rows = max(3, round(facts / len(tables) / len(measures)))
        entities = [names.draw(table.name) for _ in range(rows)]
        attributes = {
            key: _attributes(sort, rows, table.repeat.get(key, 1), names, rng) for key, sort in table.about.items()
        }
        columns = []
        for key, measure in measures.items():
            values = _values(measure, rows, numbers, rng)
            columns.append(
                [
                    _fact(key, measure, entity, value, {name: attributes[name][row] for name in measure.about}, rng)
                    for row, (entity, value) in enumerate(zip(entities, values, strict=True))
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


def _fact(
    name: str, measure: Measure, entity: str, value: Decimal, told: dict[str, str], rng: np.random.Generator
) -> Fact:
    if measure.sort != "event":
        return Fact(name, entity, value, told)
    precision = rng.integers(3)
    day = str(rng.integers(1, LAST_DAY, endpoint=True)) if precision == 2 else ""
    return Fact(name, entity, value, told, day, pick(MONTHS, rng) if precision else "")
