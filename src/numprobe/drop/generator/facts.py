"""What a passage says and what a question asks, apart from any words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, get_args

Kind = Literal[
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
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Fact:
    """One quantity of one entity (a 44-yard field goal by a kicker), or one event, whose value is its year."""

    measure: str
    entity: str
    value: Decimal
    about: Mapping[str, str] = field(default_factory=dict)
    """What else its sentence tells: the team, the quarter, the commander."""
    day: str = ""
    month: str = ""
    """Day and month of an event, where the passage gives them."""


@dataclass(frozen=True)
class Query:
    """Which facts a question is about, and what it wants of them."""

    kind: Kind
    measure: str
    wanted: str = "value"
    """`value`, `entity`, or something that the facts are `about`."""
    where: tuple[tuple[str, str], ...] = ()
    """Only facts that are about this."""
    entities: tuple[str, ...] = ()
    """Only facts of these, in the order in which the question names them."""
    largest: bool | None = None
    """The largest or more than, or the smallest or less than; None where the question has no direction."""
    rank: int = 1
    """2 for the second largest or smallest."""
    bound: Decimal | None = None
    """Only facts above it, or below it if not `largest`."""
