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
PLAYS = ("field goal", "field goal", "touchdown pass", "touchdown pass", "touchdown run")
FEWEST_ALIKE = 10
"""Numbers to draw from, so that few facts are equal."""
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
    return draw(domain, around(settings.facts, rng), settings, rng)


def draw_value(numbers: Range | None, usual: tuple[int, int], step: int, rng: np.random.Generator) -> Decimal:
    """A quantity from the range in the settings, or else a round one from its usual range."""
    return _draw(*_bounds(numbers, usual, step), rng)


def _bounds(numbers: Range | None, usual: tuple[int, int], step: int) -> tuple[int, int, int]:
    """The smallest and the largest value, and the step between two values."""
    return (int(numbers.low), int(numbers.high), 1) if numbers else (*usual, step)


def _draw(low: int, high: int, step: int, rng: np.random.Generator) -> Decimal:
    return Decimal(step * int(rng.integers(low // step, high // step, endpoint=True)))


def _alike(low: int, high: int, step: int, narrow: float, rng: np.random.Generator) -> tuple[int, int, int]:
    """Bounds, which as often as the settings say hold only numbers with the same first digit and as many digits."""
    if not narrow or rng.random() >= narrow:
        return low, high, step
    middle = int(_draw(low, high, step, rng))
    size = 10 ** (len(str(middle)) - 1)
    start, end = max(low, middle // size * size), min(high, middle // size * size + size - 1)
    # Numbers of one digit, and the ends of a range, leave too few that are alike.
    lacking = max(0, FEWEST_ALIKE * step - (end - start + 1))
    return (start - lacking, end, step) if start - lacking >= low else (start, min(high, end + lacking), step)


def _game(domain: Domain, facts: int, settings: GeneratorSettings, rng: np.random.Generator) -> Story:
    """Plays in the order of the quarters, and the final score."""
    names = Names(rng)
    teams = [names.draw("team") for _ in range(2)]
    kickers, passers, runners, receivers = (
        {team: [names.draw("person") for _ in range(size)] for team in teams} for size in (1, 1, 2, 3)
    )
    players = {"field goal": kickers, "touchdown pass": passers, "touchdown run": runners}
    bounds = {
        play: _alike(*_bounds(settings.range, domain.measures[play].range, 1), settings.narrow, rng)
        for play in PLAY_POINTS
    }
    plays = []
    points = dict.fromkeys(teams, 0)
    for quarter in sorted(rng.integers(len(QUARTERS), size=facts - len(teams)).tolist()):
        team, play = pick(teams, rng), pick(PLAYS, rng)
        half = "first half" if quarter < 2 else "second half"
        told = {"team": team, "quarter": QUARTERS[quarter], "half": half}
        if play == "touchdown pass":
            told["receiver"] = pick(receivers[team], rng)
        value = _draw(*bounds[play], rng)
        plays.append(Fact(play, pick(players[play][team], rng), value, told))
        points[team] += PLAY_POINTS[play]
    score = [Fact("points", team, Decimal(points[team])) for team in teams]
    return Story(plays + score, names, {"team": teams[0], "rival": teams[1]})


def _tables(domain: Domain, facts: int, settings: GeneratorSettings, rng: np.random.Generator) -> Story:
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
        attributes = {}
        for key, sort in table.about.items():
            repeat = table.repeat.get(key, 1)
            pool = [names.draw(sort) for _ in range(-(-rows // repeat))]
            attributes[key] = pool if repeat == 1 else [pick(pool, rng) for _ in range(rows)]
        columns = []
        for key, measure in measures.items():
            values = _values(measure, rows, settings, rng)
            column = []
            for row in range(rows):
                about = {part: attributes[part][row] for part in measure.about}
                column.append(Fact(key, entities[row], values[row], about, *_day_and_month(measure, rng)))
            columns.append(column)
        by_entity = rng.random() < 0.5
        told += [fact for group in (zip(*columns, strict=True) if by_entity else columns) for fact in group]
    return Story(told, names)


def _values(measure: Measure, rows: int, settings: GeneratorSettings, rng: np.random.Generator) -> Sequence[Decimal]:
    if measure.sort == "share":
        if settings.narrow and rng.random() < settings.narrow:
            # Tenths of a percent: from 10.0 to 19.9, or from 7.0 to 7.9, so that they are less than the whole.
            low, size = (100, 100) if rows <= 5 else (10 * (90 // rows), 10)
            return [Decimal(share).scaleb(-1) for share in rng.integers(low, low + size, rows).tolist()]
        parts = rng.dirichlet(np.ones(rows + 1))[:rows]  # The passage doesn't mention the rest of the whole.
        return [Decimal(int(1 + 990 * part)).scaleb(-1) for part in parts]
    if measure.sort == "event":
        start = int(rng.integers(*measure.range))
        return [Decimal(start + year) for year in rng.integers(60, size=rows).tolist()]
    bounds = _alike(*_bounds(settings.range, measure.range, measure.step), settings.narrow, rng)
    return [_draw(*bounds, rng) for _ in range(rows)]


def _day_and_month(measure: Measure, rng: np.random.Generator) -> tuple[str, str]:
    """For an event both, the month alone or neither; for anything else neither."""
    known = rng.integers(3) if measure.sort == "event" else 0
    day = str(rng.integers(1, 28, endpoint=True)) if known == 2 else ""  # every month has 28 days
    return day, pick(MONTHS, rng) if known else ""
