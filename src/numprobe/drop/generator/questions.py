"""Questions and their answers, built together: some facts are chosen, and the question is made to fit them.

An answer comes from the chosen facts and never from the finished query; `solver` goes the other way.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from numprobe.drop.data import Answer
from numprobe.drop.generator.chance import chance, pick, shuffled
from numprobe.drop.generator.facts import Fact, Kind, Query
from numprobe.drop.generator.language import OPPOSITES, Ask
from numprobe.drop.generator.numerals import plain

MOST_SPANS = 4
"""A longer list would not be a question that someone asks."""
MOST_TERMS = 4
"""Of a sum."""
ROUND = (10_000, 5_000, 1_000, 500, 100, 50, 10, 5)
"""Bounds are multiples of one of these where they can be."""


class Asked(NamedTuple):
    query: Query
    answer: Answer


def draw_question(ask: Ask, facts: list[Fact], parts: Collection[str], rng: np.random.Generator) -> Asked | None:
    """A question of this wording, about a part of the facts if the wording allows; None if the draw fits no question.

    `parts` are what facts may be divided by, such as team and quarter.
    """
    group = [fact for fact in facts if fact.measure == ask.measure]
    where: tuple[tuple[str, str], ...] = ()
    if "where" in ask.slots and chance(0.5, rng):
        fact = pick(group, rng)
        divided_by = [part for part in parts if part in fact.about and part != ask.wanted]
        if divided_by:
            part = pick(divided_by, rng)
            where = ((part, fact.about[part]),)
            group = [other for other in group if other.about[part] == fact.about[part]]
    entities: tuple[str, ...] = ()
    if "one" in ask.slots and "other" not in ask.slots:
        entity = pick(group, rng).entity
        entities = (entity,)
        group = [fact for fact in group if fact.entity == entity]
    largest = chance(0.5, rng) if not ask.slots.isdisjoint(OPPOSITES) else None
    query = Query(ask.kind, ask.measure, ask.wanted, where, entities, largest)
    return _MAKERS[ask.kind](query, ask.slots, group, rng)


def _superlative(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    ordered = sorted(group, key=lambda fact: fact.value, reverse=bool(query.largest))
    rank = 2 if len(ordered) > 2 and chance(0.25, rng) else 1
    near = ordered[: rank + 1]
    if len(ordered) < 2 or len({fact.value for fact in near}) < len(near):
        return None
    return Asked(replace(query, rank=rank), _told(ordered[rank - 1], query.wanted))


def _comparison(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    pair = _pair(group, rng)
    if pair is None:
        return None
    smaller, larger = pair
    named = shuffled((smaller.entity, larger.entity), rng)
    return Asked(replace(query, entities=tuple(named)), _told(larger if query.largest else smaller, query.wanted))


def _difference(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    pair = _pair(group, rng)
    if pair is None:
        return None
    smaller, larger = pair
    named = [smaller.entity, larger.entity]
    if query.largest:
        named.reverse()
    elif query.largest is None and query.kind != "duration":
        named = shuffled(named, rng)
    return Asked(replace(query, entities=tuple(named)), _number(larger.value - smaller.value))


def _selection(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    cut = _cut(group, bool(query.largest), rng)
    if cut is None:
        return None
    bound, beyond = cut
    spans = tuple(dict.fromkeys(_span(fact, query.wanted) for fact in beyond))
    return Asked(replace(query, bound=bound), Answer(spans=spans)) if len(spans) <= MOST_SPANS else None


def _count(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    if "bound" not in slots:
        return Asked(query, _number(Decimal(len(group))))
    cut = _cut(group, bool(query.largest), rng)
    return cut and Asked(replace(query, bound=cut[0]), _number(Decimal(len(cut[1]))))


def _addition(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    if "other" in slots:
        pair = _pair(group, rng)
        if pair is None:
            return None
        group = shuffled(pair, rng)
        query = replace(query, entities=tuple(fact.entity for fact in group))
    return Asked(query, _number(sum(fact.value for fact in group))) if 2 <= len(group) <= MOST_TERMS else None


def _date(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    (event,) = group
    return Asked(query, Answer(date=(event.day, event.month, plain(event.value)))) if event.day else None


def _extraction(query: Query, slots: Collection[str], group: list[Fact], rng: np.random.Generator) -> Asked | None:
    return Asked(query, _told(group[0], query.wanted)) if len(group) == 1 else None


_MAKERS: dict[Kind, Callable[[Query, Collection[str], list[Fact], np.random.Generator], Asked | None]] = {
    "superlative_number": _superlative,
    "superlative_span": _superlative,
    "comparative_binary": _comparison,
    "comparative_non_binary": _selection,
    "difference": _difference,
    "addition": _addition,
    "count": _count,
    "date": _date,
    "duration": _difference,
    "order": _comparison,
    "extraction": _extraction,
}


def _pair(group: list[Fact], rng: np.random.Generator) -> tuple[Fact, Fact] | None:
    """Two facts with different values, the smaller first, each the only one of its entity."""
    times = Counter(fact.entity for fact in group)
    single = shuffled([fact for fact in group if times[fact.entity] == 1], rng)
    if len(single) < 2 or single[0].value == single[1].value:
        return None
    one, other = single[:2]
    return (one, other) if one.value < other.value else (other, one)


def _cut(group: list[Fact], above: bool, rng: np.random.Generator) -> tuple[Decimal, list[Fact]] | None:
    """A bound between two facts, and the facts beyond it."""
    ordered = sorted(group, key=lambda fact: fact.value)
    places = [place for place in range(1, len(ordered)) if ordered[place - 1].value < ordered[place].value]
    if not places:
        return None
    place = pick(places, rng)
    low, high = ordered[place - 1].value, ordered[place].value
    rounded = (high // step * step for step in ROUND)
    bound = next((value for value in rounded if low < value < high), low if above else high)
    return bound, ordered[place:] if above else ordered[:place]


def _told(fact: Fact, wanted: str) -> Answer:
    return _number(fact.value) if wanted == "value" else Answer(spans=(_span(fact, wanted),))


def _span(fact: Fact, wanted: str) -> str:
    return fact.entity if wanted == "entity" else fact.about[wanted]


def _number(value: Decimal | int) -> Answer:
    return Answer(number=plain(Decimal(value)))
