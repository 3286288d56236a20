"""What a passage says and what a question asks, independent of any wording."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, get_args

QuestionKind = Literal[
    "superlative_number",
    "superlative_span",
    "comparative_binary",
    "comparative_non_binary",
    "difference",
    "addition",
    "count",
    "date",
    "duration",
    "order",
    "extraction",
]
KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)


@dataclass(frozen=True)
class Fact:
    """One quantity of one entity (a 44-yard field goal by a kicker), or one event, whose value is its year."""

    measure: str
    entity: str
    value: Decimal
    about: Mapping[str, str] = field(default_factory=dict)
    """What else the sentence says: the team, the quarter, the commander."""
    day: str = ""
    month: str = ""
    """Day and month of an event, if the passage gives them."""


@dataclass(frozen=True)
class Query:
    """Which facts a question is about, and what it asks of them."""

    kind: QuestionKind
    measure: str
    wanted: str = "value"
    """`value`, `entity`, or a key of `Fact.about`."""
    where: tuple[tuple[str, str], ...] = ()
    """Only facts whose `about` holds these pairs."""
    entities: tuple[str, ...] = ()
    """Only facts of these entities, in the order in which the question names them."""
    largest: bool | None = None
    """True for the largest or "more than", False for the smallest or "less than", None without a direction."""
    rank: int = 1
    """2 for the second largest or smallest."""
    bound: Decimal | None = None
    """Only facts above this value, or below it if `largest` is False."""
