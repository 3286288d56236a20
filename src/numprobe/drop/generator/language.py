"""The English of each domain, read from its TOML file: sentences about facts, wordings of questions, numerals."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal

from numprobe.drop.generator.facts import KINDS, QuestionKind

DOMAINS = ("game", "census", "history", "economy")
SUPERLATIVE_SLOTS = {"longest": "shortest", "largest": "smallest", "highest": "lowest"}
OPPOSITES = {
    **SUPERLATIVE_SLOTS,
    "longer": "shorter",
    "more": "fewer",
    "larger": "smaller",
    "higher": "lower",
    "later": "earlier",
    "after": "before",
    "last": "first",
}
"""Slots that name a direction: the slot itself is the word for large values, its opposite the word for small ones."""


@dataclass(frozen=True)
class Measure:
    """A quantity, a share of a whole, or an event."""

    family: str
    clauses: list[str]
    words: dict[str, str]
    sort: Literal["quantity", "share", "event"] = "quantity"
    range: tuple[int, int] = (1, 100)
    """The usual range of its values."""
    step: int = 1
    about: tuple[str, ...] = ()
    """What each clause says besides entity and value."""
    questions: dict[QuestionKind, dict[str, list[str]]] = field(default_factory=dict)
    """Wordings in addition to those of the family."""


@dataclass(frozen=True)
class EntityTable:
    """Entities of one sort, all with the same measures."""

    name: str
    """The pattern of their names."""
    measures: list[str]
    about: dict[str, str] = field(default_factory=dict)
    repeat: dict[str, int] = field(default_factory=dict)
    """How many entities share one commander or country on average; 1 by default."""


@dataclass(frozen=True)
class Wording:
    """One way to ask one kind of question about one measure."""

    kind: QuestionKind
    measure: str
    wanted: str
    template: str
    slots: frozenset[str]


@dataclass(frozen=True)
class Domain:
    openings: list[str]
    singles: list[str]
    pairs: list[str]
    distractors: list[str]
    years: tuple[int, int]
    """The years that distractors mention."""
    where: dict[str, str]
    """How a question restricts itself to some of the facts."""
    measures: dict[str, Measure]
    wordings: Mapping[QuestionKind, list[Wording]]
    tables: dict[str, EntityTable] = field(default_factory=dict)
    heading: str = ""
    """Facts with the same value of this key follow each other, introduced by one of the `leads`."""
    leads: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    """Slots that hold people, who may go by their last name after their first mention."""


@cache
def load_domain(name: str) -> Domain:
    """A domain by its name; see `DOMAINS`."""
    content = english(name)
    measures = {key: Measure(**given) for key, given in content["measures"].items()}
    tables = {key: EntityTable(**given) for key, given in content.get("tables", {}).items()}
    wordings = {kind: [each for key in measures for each in _wordings(kind, key, measures[key])] for kind in KINDS}
    return Domain(**content | {"measures": measures, "tables": tables, "wordings": wordings})


@cache
def english(name: str) -> dict[str, Any]:
    return tomllib.loads(files("numprobe.drop.generator").joinpath("english", f"{name}.toml").read_text("utf-8"))


def slots(template: str) -> frozenset[str]:
    """The names in braces.

    >>> sorted(slots("How many {noun} did {one} have?"))
    ['noun', 'one']
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def digits(value: Decimal) -> str:
    """A number as a text writes it, with separators.

    >>> digits(Decimal(12400)), digits(Decimal("12.0"))
    ('12,400', '12.0')
    """
    return f"{value:,}"


def plain(value: Decimal) -> str:
    """A number as an answer writes it, without separators and trailing zeros.

    >>> plain(Decimal(12400)), plain(Decimal("12.0"))
    ('12400', '12')
    """
    return f"{value.normalize():f}"


def article(numeral: str) -> str:
    """The indefinite article before a number.

    >>> [article(numeral) for numeral in ("8", "11", "110", "18,000", "one", "eleven")]
    ['an', 'an', 'a', 'an', 'a', 'an']
    """
    leading = numeral.split(",")[0]
    starts_with_vowel = numeral[0] == "8" or leading in ("11", "18") or numeral in ("eight", "eleven", "eighteen")
    return "an" if starts_with_vowel else "a"


def _wordings(kind: QuestionKind, name: str, measure: Measure) -> list[Wording]:
    families: list[dict[QuestionKind, dict[str, list[str]]]] = [english("questions")[measure.family], measure.questions]
    return [
        Wording(kind, name, wanted, template, slots(template))
        for questions in families
        for wanted, templates in questions.get(kind, {}).items()
        for template in templates
    ]
