"""An independent solver: it answers a query from the facts alone, by the definition of each kind of question.

It shares no code with `numprobe.drop.generator.questions`, which knows each answer before the query is complete.
"""

from collections.abc import Iterable
from decimal import Decimal

from numprobe.drop.data import GoldAnswer
from numprobe.drop.generator import Generated, GeneratorSettings, generate_one
from numprobe.drop.generator.facts import Fact, Query


def generate_with_facts(settings: GeneratorSettings) -> list[Generated]:
    """The passages that the settings describe, each with its facts and queries."""
    return [generate_one(settings, number) for number in range(settings.passages)]


def disagreements(made: Generated) -> list[str]:
    """The ids of the questions for which the solver finds a different answer."""
    return [
        question.id
        for question in made.passage.questions
        if not agrees(question.answer, made.facts, made.queries[question.id])
    ]


def solve(facts: Iterable[Fact], query: Query) -> GoldAnswer:
    """The answer to a query; raises ValueError if there is none, or more than one."""
    matching = [fact for fact in facts if _matches(fact, query)]
    match query.kind:
        case "superlative_number" | "superlative_span":
            return _wanted([fact for fact in matching if _rank(fact, matching, query.largest) == query.rank], query)
        case "comparative_binary" | "order":
            _of_each(query, matching)
            return _wanted([fact for fact in matching if _rank(fact, matching, query.largest) == 1], query)
        case "comparative_non_binary":
            return GoldAnswer(spans=tuple(sorted({_read(fact, query.wanted) for fact in matching})))
        case "difference" | "duration":
            return GoldAnswer(number=_text(_distance(query, *_of_each(query, matching))))
        case "addition":
            return GoldAnswer(number=_text(sum((fact.value for fact in matching), Decimal(0))))
        case "count":
            return GoldAnswer(number=str(len(matching)))
        case "date":
            (event,) = matching
            return GoldAnswer(date=(event.day, event.month, _text(event.value)))
        case "extraction":
            return _wanted(matching, query)


def agrees(answer: GoldAnswer, facts: Iterable[Fact], query: Query) -> bool:
    """Whether the solver finds the same answer; 12.0 equals 12, and the order of spans does not matter."""
    try:
        return _meaning(solve(facts, query)) == _meaning(answer)
    except ValueError:
        return False


def _meaning(answer: GoldAnswer) -> tuple[Decimal | None, list[str], tuple[str, str, str]]:
    return Decimal(answer.number) if answer.number else None, sorted(answer.spans), answer.date


def _matches(fact: Fact, query: Query) -> bool:
    return (
        fact.measure == query.measure
        and all(fact.about.get(part) == told for part, told in query.where)
        and (not query.entities or fact.entity in query.entities)
        and (query.bound is None or (fact.value > query.bound if query.largest else fact.value < query.bound))
    )


def _rank(fact: Fact, among: list[Fact], largest: bool | None) -> int:
    """How many facts rank at least as high, itself included: if two tie for first place, neither gets it."""
    return sum(other.value >= fact.value if largest else other.value <= fact.value for other in among)


def _of_each(query: Query, matching: list[Fact]) -> list[Decimal]:
    """The value of each entity that the question names."""
    if sorted(query.entities) != sorted(fact.entity for fact in matching):
        raise ValueError("an entity has no fact, or several facts")
    return [fact.value for entity in query.entities for fact in matching if fact.entity == entity]


def _distance(query: Query, one: Decimal, other: Decimal) -> Decimal:
    if query.kind == "difference" and query.largest is None:
        return abs(one - other)
    distance = one - other if query.largest else other - one
    if distance <= 0:
        raise ValueError("the question names the entities the wrong way round")
    return distance


def _wanted(found: list[Fact], query: Query) -> GoldAnswer:
    (fact,) = found
    read = _read(fact, query.wanted)
    return GoldAnswer(number=read) if query.wanted == "value" else GoldAnswer(spans=(read,))


def _read(fact: Fact, wanted: str) -> str:
    return {"value": _text(fact.value), "entity": fact.entity, **fact.about}[wanted]


def _text(value: Decimal) -> str:
    return str(int(value)) if value == int(value) else str(value)
