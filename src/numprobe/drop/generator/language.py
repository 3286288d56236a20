"""The English of each domain, read from its file: sentences about facts, and wordings of questions."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal

from numprobe.drop.generator.facts import KINDS, Kind

DOMAINS = ("game", "census", "history", "economy")

SUPERLATIVES = {"longest": "shortest", "largest": "smallest", "highest": "lowest"}
COMPARATIVES = {
    "longer": "shorter",
    "more": "fewer",
    "larger": "smaller",
    "higher": "lower",
    "later": "earlier",
    "after": "before",
    "last": "first",
}
OPPOSITES = SUPERLATIVES | COMPARATIVES
"""Slots that name a direction: the word for large values is the slot itself, and its opposite is for small ones."""


@dataclass(frozen=True)
class Measure:
    """A quantity, a share of a whole, or an event."""

    family: str
    clauses: list[str]
    words: dict[str, str]
    sort: Literal["quantity", "share", "event"] = "quantity"
    range: tuple[int, int] = (1, 100)
    """Where its values lie unless the settings say otherwise."""
    step: int = 1
    about: tuple[str, ...] = ()
    """What each clause tells apart from entity and value."""
    questions: dict[Kind, dict[str, list[str]]] = field(default_factory=dict)
    """Wordings beyond those of the family."""


@dataclass(frozen=True)
class Table:
    """Entities of one sort, each with the same measures."""

    name: str
    """The pattern of their names."""
    measures: list[str]
    about: dict[str, str] = field(default_factory=dict)
    repeat: dict[str, int] = field(default_factory=dict)
    """How many entities on average share one commander or country; one entity unless given."""


@dataclass(frozen=True)
class Ask:
    """One wording of one type of question about one measure."""

    kind: Kind
    measure: str
    wanted: str
    wording: str
    slots: frozenset[str]


@dataclass(frozen=True)
class Domain:
    openings: list[str]
    singles: list[str]
    pairs: list[str]
    distractors: list[str]
    years: tuple[int, int]
    """Of what is told beside the facts."""
    where: dict[str, str]
    """How a question says that it is about a part of the facts."""
    measures: dict[str, Measure]
    asks: Mapping[Kind, list[Ask]]
    tables: dict[str, Table] = field(default_factory=dict)
    heading: str = ""
    """Facts that share this are told together, under one of the `leads`."""
    leads: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    """Slots of clauses that hold people, who may go by their last name once introduced."""


def slots(template: str) -> frozenset[str]:
    """The names in braces.

    >>> sorted(slots("How many {noun} did {one} have?"))
    ['noun', 'one']
    """
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


@cache
def english(name: str) -> dict[str, Any]:
    return tomllib.loads(files("numprobe.drop.generator").joinpath("english", f"{name}.toml").read_text("utf-8"))


@cache
def domain(name: str) -> Domain:
    """A domain by its name; see `DOMAINS`."""
    content = english(name)
    measures = {key: Measure(**given) for key, given in content["measures"].items()}
    tables = {key: Table(**given) for key, given in content.get("tables", {}).items()}
    asks = {kind: [ask for key in measures for ask in _asks(kind, key, measures[key])] for kind in KINDS}
    return Domain(**content | {"measures": measures, "tables": tables, "asks": asks})


def _asks(kind: Kind, name: str, measure: Measure) -> list[Ask]:
    families: list[dict[Kind, dict[str, list[str]]]] = [english("questions")[measure.family], measure.questions]
    return [
        Ask(kind, name, wanted, wording, slots(wording))
        for questions in families
        for wanted, wordings in questions.get(kind, {}).items()
        for wording in wordings
    ]
