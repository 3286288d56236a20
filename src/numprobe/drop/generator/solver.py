"""A second opinion: answers from the facts and the query alone, written as the definition of each type of question.

It shares no code with `questions`, which knows each answer before the query is complete.
"""

from collections.abc import Iterable
from decimal import Decimal

from numprobe.drop.data import Answer
from numprobe.drop.generator.facts import Fact, Query


def solve(facts: Iterable[Fact], query: Query) -> Answer:
    """The answer; a ValueError if the facts allow none or several."""
    matching = [fact for fact in facts if _matches(fact, query)]
    match query.kind:
        case "superlative_number" | "superlative_span":
            return _wanted([fact for fact in matching if _rank(fact, matching, query.largest) == query.rank], query)
        case "comparative_binary" | "order":
            _of_each(query, matching)
            return _wanted([fact for fact in matching if _rank(fact, matching, query.largest) == 1], query)
        case "comparative_non_binary":
            return Answer(spans=tuple(sorted({_read(fact, query.wanted) for fact in matching})))
        case "difference" | "duration":
            return Answer(number=_text(_distance(query, *_of_each(query, matching))))
        case "addition":
            return Answer(number=_text(sum((fact.value for fact in matching), Decimal(0))))
        case "count":
            return Answer(number=str(len(matching)))
        case "date":
            (event,) = matching
            return Answer(date=(event.day, event.month, _text(event.value)))
        case "extraction":
            return _wanted(matching, query)


def agrees(answer: Answer, facts: Iterable[Fact], query: Query) -> bool:
    """Whether the solver finds this answer too; 12.0 is 12, and the order of spans means nothing."""
    try:
        return _meaning(solve(facts, query)) == _meaning(answer)
    except ValueError:
        return False


def _meaning(answer: Answer) -> tuple[Decimal | None, list[str], tuple[str, str, str]]:
    return Decimal(answer.number) if answer.number else None, sorted(answer.spans), answer.date


def _matches(fact: Fact, query: Query) -> bool:
    return (
        fact.measure == query.measure
        and all(fact.about.get(part) == told for part, told in query.where)
        and (not query.entities or fact.entity in query.entities)
        and (query.bound is None or (fact.value > query.bound if query.largest else fact.value < query.bound))
    )


def _rank(fact: Fact, among: list[Fact], largest: bool | None) -> int:
    """How many are at least as far up, itself included: of two that tie for the first place, neither has it."""
    return sum(other.value >= fact.value if largest else other.value <= fact.value for other in among)


def _of_each(query: Query, matching: list[Fact]) -> list[Decimal]:
    """The one value of each entity that the question names."""
    if sorted(query.entities) != sorted(fact.entity for fact in matching):
        raise ValueError("an entity has no fact, or several")
    return [fact.value for entity in query.entities for fact in matching if fact.entity == entity]


def _distance(query: Query, one: Decimal, other: Decimal) -> Decimal:
    if query.kind == "difference" and query.largest is None:
        return abs(one - other)
    distance = one - other if query.largest else other - one
    if distance <= 0:
        raise ValueError("the question has the two the wrong way round")
    return distance


def _wanted(found: list[Fact], query: Query) -> Answer:
    (fact,) = found
    read = _read(fact, query.wanted)
    return Answer(number=read) if query.wanted == "value" else Answer(spans=(read,))


def _read(fact: Fact, wanted: str) -> str:
    return {"value": _text(fact.value), "entity": fact.entity, **fact.about}[wanted]


def _text(value: Decimal) -> str:
    return str(int(value)) if value == int(value) else str(value)
