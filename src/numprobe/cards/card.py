"""The card: all sections of one model, as a verdict, scores, and a page."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from numprobe.analysis.statistics import interval
from numprobe.cards.base import CardSection, Evidence, Measured, Part, Statement
from numprobe.embedders import EMBEDDERS
from numprobe.embedders.sources.catalogue import catalogue
from numprobe.embedders.strings import STRINGS
from numprobe.experiments import Cell, Result
from numprobe.experiments.floors import CEILING
from numprobe.files.writing import write_whole
from numprobe.registry import Registry

SECTIONS: Registry[CardSection] = Registry("section", "numprobe.cards", required=("name", "title", "asks", "read"))

BASELINES = (*STRINGS, CEILING, "random", "gaussian:of=minilm-l6", "untrained-cnn", "untrained-lstm")


def reference_models() -> tuple[str, ...]:
    """The models of the catalogue that anyone can fetch."""
    return tuple(name for name, entry in catalogue().items() if entry.wheels)


def all_sections() -> list[CardSection]:
    """Every section, in its place."""
    return sorted((SECTIONS.build(name) for name in SECTIONS), key=lambda section: section.place)


def sections_for(embedder: Any) -> list[CardSection]:
    """The sections that make sense for an embedder, in their order."""
    built = EMBEDDERS.build(embedder) if isinstance(embedder, str) else embedder
    return [section for section in all_sections() if section.applies(built)]


def card_cells(embedder: Any, name: str = "", quick: bool = False) -> list[Cell]:
    """The cells of a model's card.

    >>> any(cell.task == "addition" for cell in card_cells("length"))
    True
    """
    return list(
        dict.fromkeys(cell for section in sections_for(embedder) for cell in section.cells(embedder, name, quick))
    )


def rival_cells(embedder: Any, quick: bool = False) -> list[Cell]:
    """The cells of what a model has to beat: string baselines, above all."""
    return list(dict.fromkeys(cell for section in sections_for(embedder) for cell in section.rival_cells(quick)))


def reference_cells() -> list[Cell]:
    """What the leaderboard and everybody's cards stand on: reference models, baselines, and their rivals."""
    names = (*reference_models(), *BASELINES)
    cells = (
        cell
        for quick in (True, False)
        for name in names
        for cell in (*card_cells(name, "", quick), *rival_cells(name, quick))
    )
    return list(dict.fromkeys(cells))


@dataclass(frozen=True)
class Card:
    """What was found about one model.

    >>> statement = Statement("It decodes [0,99] better than strings.", False, "rmse 12.1", section="values")
    >>> card = Card("my-model", True, {"values": Part([statement])}, results=[])
    >>> card.verdict[0].holds
    False
    >>> card
    <Card of my-model: 0 of 1 statements hold>
    """

    model: str
    quick: bool
    parts: Mapping[str, Part]
    """CardSection -> what it says."""
    results: Sequence[Result]

    @property
    def verdict(self) -> list[Statement]:
        return [statement for part in self.parts.values() for statement in part.statements]

    @property
    def uses(self) -> list[Statement]:
        """What the model can be relied on for; the text alone may do as well."""
        return [statement for part in self.parts.values() for statement in part.uses]

    @property
    def groups(self) -> dict[str, list[Statement]]:
        """All statements by the question that they answer."""
        asked = {"What does it know that the text does not give away?": self.verdict, "Can I rely on it?": self.uses}
        return {title: statements for title, statements in asked.items() if statements}

    @property
    def measured(self) -> list[Measured]:
        return [found for part in self.parts.values() for found in part.measured]

    @property
    def claims(self) -> list[Statement]:
        """The statements that say what the model knows beyond the text; those of sections without rivals don't."""
        return [own for own in self.verdict if SECTIONS.build(own.section).rivals]

    @property
    def headline(self) -> str:
        """The verdict in one sentence."""
        claims = self.claims
        holding = sum(own.holds for own in claims)
        if not self.measured:
            return f"{self.model} has no numbers in common with this card."
        if holding == 0:
            return f"{self.model} shows nothing about numbers that their text does not give away."
        if holding == len(claims):
            return f"{self.model} knows more about numbers than their text gives away, in everything that was asked."
        return (
            f"{self.model} knows more about numbers than their text gives away in {holding} of {len(claims)} questions."
        )

    @property
    def reliance(self) -> str:
        """How often the model can be relied on, in one sentence."""
        uses = [own for own in self.uses if SECTIONS.build(own.section).rivals]  # others are advice, such as on layers
        holding = sum(own.holds for own in uses)
        return f"It can be relied on in {holding or 'none'} of {len(uses)} uses." if uses else ""

    def as_dict(self) -> dict[str, Any]:
        """The card as JSON has it: the model, the verdict, and each score with its floors."""
        return {
            "model": self.model,
            "quick": self.quick,
            "headline": self.headline,
            "verdict": [asdict(own) for own in self.verdict],
            "uses": [asdict(own) for own in self.uses],
            "scores": [_score(found) for found in self.measured],
            "results": [replace(result, predictions=None).as_dict() for result in self.results],
        }

    def to_json(self) -> str:
        """The card as a JSON document."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)

    def save(self, path: str | Path) -> None:
        """Write the page, and beside it a badge (.svg) and metadata for a model card (.yaml)."""
        from numprobe.cards.page import badge, card_page, metadata  # it imports this module

        write_whole(Path(path), card_page(self))
        write_whole(Path(path).with_suffix(".svg"), badge(self) + "\n")
        write_whole(Path(path).with_suffix(".yaml"), metadata(self))

    def __str__(self) -> str:
        lines = [f"{self.headline} {self.reliance}"]
        for title, statements in self.groups.items():
            lines += ["", title]
            lines += [
                f"  {'yes' if own.holds else 'no '}  {own.statement}\n       {own.evidence}" for own in statements
            ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"<Card of {self.model}: {sum(own.holds for own in self.verdict)} of {len(self.verdict)} statements hold>"
        )

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td>{'✓' if own.holds else '✗'}</td><td style='text-align: left'>{escape(own.statement)}<br>"
            f"<small>{escape(own.evidence)}</small></td></tr>"
            for own in (*self.verdict, *self.uses)
        )
        return f"<p><b>{escape(self.headline)}</b></p><table>{''.join(rows)}</table>"


def _score(found: Measured) -> dict[str, Any]:
    own = found.own
    return {
        **{name: value for name, value in own.cell.as_dict().items() if name != "embedder"},
        "metric": own.metric,
        "score": own.mean,
        "interval": interval(own),
        "guessing": own.guessing,
        "best_string": {"embedder": found.string.cell.embedder, "score": found.string.mean} if found.string else None,
        "beats_strings": found.beats_strings,
        **own.coverage,
    }


def read_card(embedder: Any, name: str, quick: bool, load: Callable[[Cell], Result | None]) -> Card:
    """Read a model's card from results.

    >>> read_card("value", "", quick=True, load=lambda cell: None).headline
    'value has no numbers in common with this card.'
    """
    evidence = Evidence(embedder, name or str(embedder), load, reference_models())
    parts = {section.name: section.read(evidence, quick) for section in sections_for(embedder)}
    found = (load(cell) for cell in card_cells(embedder, name, quick))
    return Card(evidence.model, quick, parts, [result for result in found if result is not None])
