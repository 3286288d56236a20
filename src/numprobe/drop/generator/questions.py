"""Questions and their answers, drawn together: some facts are chosen, and the question is made to fit them.

The answer comes from the chosen facts, never from the finished query; the solver in the tests works from the query.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from decimal import Decimal

import numpy as np

from numprobe.drop.data import GoldAnswer
from numprobe.drop.generator.facts import Fact, Query
from numprobe.drop.generator.language import OPPOSITES, SUPERLATIVE_SLOTS, Domain, Wording, digits, plain
from numprobe.drop.generator.settings import pick, shuffled

MOST_LISTED = 4
"""Spans of an answer: nobody asks for a longer list."""
MOST_TERMS = 4
"""Numbers in a sum."""
ROUND = (10_000, 5_000, 1_000, 500, 100, 50, 10, 5)
"""Bounds are multiples of one of these if possible."""


Drawn = tuple[Query, GoldAnswer] | None
"""A question and its answer; None if the drawn facts don't fit a question."""


def draw_question(wording: Wording, facts: list[Fact], parts: Collection[str], rng: np.random.Generator) -> Drawn:
    """A question with this wording.

    If the wording allows, half of the questions are restricted to the facts that share one of `parts`, such as a team.
    """
    group = [fact for fact in facts if fact.measure == wording.measure]
    where: tuple[tuple[str, str], ...] = ()
    if "where" in wording.slots and rng.random() < 0.5:
        fact = pick(group, rng)
        divided_by = [part for part in parts if part in fact.about and part != wording.wanted]
        if divided_by:
            part = pick(divided_by, rng)
            where = ((part, fact.about[part]),)
            group = [other for other in group if other.about[part] == fact.about[part]]
    entities: tuple[str, ...] = ()
    if "one" in wording.slots and "other" not in wording.slots:
        entity = pick(group, rng).entity
        entities = (entity,)
        group = [fact for fact in group if fact.entity == entity]
    largest = rng.random() < 0.5 if not wording.slots.isdisjoint(OPPOSITES) else None
    query = Query(wording.kind, wording.measure, wording.wanted, where, entities, largest)
    match query.kind:
        case "superlative_number" | "superlative_span":
            return _superlative(query, group, rng)
        case "extraction":
            return (query, _told(group[0], query.wanted)) if len(group) == 1 else None
        case "date":
            (event,) = group
            return (query, GoldAnswer(date=(event.day, event.month, plain(event.value)))) if event.day else None
        case "count" if "bound" not in wording.slots:
            return query, _number(len(group))
        case "count" | "comparative_non_binary":
            return _beyond_a_bound(query, group, rng)
        case "addition" if "other" not in wording.slots:
            return (query, _number(sum(fact.value for fact in group))) if 2 <= len(group) <= MOST_TERMS else None
        case _:
            return _about_two(query, group, rng)


def word_question(wording: Wording, query: Query, domain: Domain) -> str:
    """The text of a question."""
    measure = domain.measures[query.measure]
    filled = {**measure.words, "where": "".join(domain.where[part].format(told) for part, told in query.where)}
    filled |= zip(("one", "other"), query.entities, strict=False)
    if query.bound is not None:
        filled["bound"] = plain(query.bound) if measure.sort == "event" else digits(query.bound)
    for high, low in OPPOSITES.items():
        if high in wording.slots:
            word = high if query.largest else low
            filled[high] = f"second {word}" if high in SUPERLATIVE_SLOTS and query.rank == 2 else word
    return wording.template.format_map(filled)


def _superlative(query: Query, group: list[Fact], rng: np.random.Generator) -> Drawn:
    ordered = sorted(group, key=lambda fact: fact.value, reverse=bool(query.largest))
    rank = 2 if len(ordered) > 2 and rng.random() < 0.25 else 1
    near = ordered[: rank + 1]
    if len(ordered) < 2 or len({fact.value for fact in near}) < len(near):
        return None
    return replace(query, rank=rank), _told(ordered[rank - 1], query.wanted)


def _about_two(query: Query, group: list[Fact], rng: np.random.Generator) -> Drawn:
    """A comparison, difference or sum of two facts with different values, each the only fact of its entity."""
    times = Counter(fact.entity for fact in group)
    single = shuffled([fact for fact in group if times[fact.entity] == 1], rng)
    if len(single) < 2 or single[0].value == single[1].value:
        return None
    smaller, larger = sorted(single[:2], key=lambda fact: fact.value)
    if query.kind == "duration" or (query.kind == "difference" and query.largest is not None):
        named = [larger, smaller] if query.largest else [smaller, larger]
    else:
        named = shuffled([smaller, larger], rng)
    query = replace(query, entities=tuple(fact.entity for fact in named))
    if query.kind == "addition":
        return query, _number(smaller.value + larger.value)
    if query.kind in ("difference", "duration"):
        return query, _number(larger.value - smaller.value)
    return query, _told(larger if query.largest else smaller, query.wanted)


def _beyond_a_bound(query: Query, group: list[Fact], rng: np.random.Generator) -> Drawn:
    """A list, or the number, of the facts beyond a bound that lies between two facts."""
    ordered = sorted(group, key=lambda fact: fact.value)
    places = [place for place in range(1, len(ordered)) if ordered[place - 1].value < ordered[place].value]
    if not places:
        return None
    place = pick(places, rng)
    low, high = ordered[place - 1].value, ordered[place].value
    rounded = (high // step * step for step in ROUND)
    bound = next((value for value in rounded if low < value < high), low if query.largest else high)
    beyond = ordered[place:] if query.largest else ordered[:place]
    query = replace(query, bound=bound)
    if query.kind == "count":
        return query, _number(len(beyond))
    spans = tuple(dict.fromkeys(_span(fact, query.wanted) for fact in beyond))
    return (query, GoldAnswer(spans=spans)) if len(spans) <= MOST_LISTED else None


def _told(fact: Fact, wanted: str) -> GoldAnswer:
    return _number(fact.value) if wanted == "value" else GoldAnswer(spans=(_span(fact, wanted),))


def _span(fact: Fact, wanted: str) -> str:
    return fact.entity if wanted == "entity" else fact.about[wanted]


def _number(value: Decimal | int) -> GoldAnswer:
    return GoldAnswer(number=plain(Decimal(value)))
