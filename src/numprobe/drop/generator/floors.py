"""What readers get who find the facts that a generated question compares, but can't compare numbers."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import comb
from typing import Any

from numprobe.drop.data import Floors
from numprobe.drop.generator.facts import Fact, Query

COMPARING = ("superlative_number", "superlative_span", "comparative_binary", "order")
BOUNDED = ("comparative_non_binary", "count")


def draw_floors(query: Query, facts: Sequence[Fact]) -> Floors | None:
    """The chances of both readers to answer a question; None if it does not compare numbers."""
    group = [
        fact
        for fact in facts
        if fact.measure == query.measure
        and all(fact.about.get(part) == told for part, told in query.where)
        and (not query.entities or fact.entity in query.entities)
    ]
    if query.kind in COMPARING:
        return Floors(_chosen(query, group, lambda value: 0), _chosen(query, group, coarse))
    if query.kind in BOUNDED and query.bound is not None:
        guess = 1 / (len(group) - 1 if query.kind == "count" else 2 ** len(group) - 1)
        return Floors(guess, _beyond(query, group, query.bound))
    return None


def coarse(value: Decimal) -> tuple[int, int]:
    """The number of digits and the first digit of a number, without its decimals.

    >>> coarse(Decimal("1860")), coarse(Decimal("0.7"))
    ((4, 1), (1, 0))
    """
    whole = str(int(value))
    return len(whole), int(whole[0])


def _chosen(query: Query, group: Sequence[Fact], seen: Callable[[Decimal], Any]) -> float:
    """How often a reader is right who orders the facts by what it sees, and picks any of those that look alike."""
    gold = sorted(group, key=lambda fact: fact.value, reverse=bool(query.largest))[query.rank - 1]
    ordered = sorted(group, key=lambda fact: seen(fact.value), reverse=bool(query.largest))
    alike = [fact for fact in ordered if seen(fact.value) == seen(ordered[query.rank - 1].value)]
    return sum(_told(fact, query) == _told(gold, query) for fact in alike) / len(alike)


def _told(fact: Fact, query: Query) -> object:
    if query.wanted == "value":
        return fact.value
    return fact.entity if query.wanted == "entity" else fact.about[query.wanted]


def _beyond(query: Query, group: Sequence[Fact], bound: Decimal) -> float:
    """How often a reader of digit counts and first digits finds all facts beyond a bound, or their number."""
    is_beyond = [(fact.value > bound) if query.largest else (fact.value < bound) for fact in group]
    unclear = [right for fact, right in zip(group, is_beyond, strict=True) if coarse(fact.value) == coarse(bound)]
    ways = comb(len(unclear), sum(unclear)) if query.kind == "count" else 1
    return ways / float(2 ** len(unclear))
