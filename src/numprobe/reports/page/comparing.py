"""What the page needs to know of a comparison with the paper and of a finding, whoever makes them."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from numprobe.experiments import Result
from numprobe.reports.paper import Published

MARKS = {"within": "≈", "better": "▲", "worse": "▼"}
"""Verdict -> the sign that tells it without colour."""


class Compared(Protocol):
    """A result beside the paper's number."""

    @property
    def result(self) -> Result: ...
    @property
    def paper(self) -> Published: ...
    @property
    def difference(self) -> float: ...
    @property
    def within(self) -> bool: ...
    @property
    def at_least_as_good(self) -> bool: ...


class Finding(Protocol):
    """A statement of the paper; `holds` is None where it was not measured."""

    @property
    def statement(self) -> str: ...
    @property
    def holds(self) -> bool | None: ...
    @property
    def evidence(self) -> tuple[str, ...]: ...


def verdict(compared: Compared | None) -> str:
    """`within`, `better` or `worse`; nothing where the paper has no number."""
    if compared is None:
        return ""
    return "within" if compared.within else "better" if compared.at_least_as_good else "worse"


def count(compared: Iterable[Compared | None]) -> Counter[str]:
    """How many there are of each verdict."""
    return Counter(map(verdict, compared))
