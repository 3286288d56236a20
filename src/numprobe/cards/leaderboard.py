"""The leaderboard: the cards of all reference models, of baselines, and of one's own, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from numprobe.analysis.paper import PAPER_EMBEDDERS, SAME_VECTORS, published
from numprobe.cards.base import Statement
from numprobe.cards.card import BASELINES, Card, all_sections, read_card, reference_cells, reference_models
from numprobe.cards.reference import Reference
from numprobe.embedders import EMBEDDERS
from numprobe.embedders.sources import not_here
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.files.untrusted import parse_json
from numprobe.reports import Heading, Table

if TYPE_CHECKING:
    from numprobe.reports.page import Section


def read_results(path: str) -> list[Result]:
    """The results in a file that `numprobe card --json` or `numprobe show --json` wrote."""
    try:
        found = parse_json(Path(path).read_text(encoding="utf-8"), path)
        entries = found["results"] if isinstance(found, dict) else found
        results = [Result.from_dict(entry) for entry in entries]
    except OSError as error:
        raise NumprobeError(f"can't read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise NumprobeError(
            f"{path} holds no results: write some with numprobe card MODEL --json > {path} ({error})"
        ) from None
    if not results:
        raise NumprobeError(f"{path} holds no results")
    return results


def leaderboard(added: Sequence[Result] = ()) -> tuple[Table, "list[Section]"]:
    """The verdicts of all quick cards, and a section of a page for each section of the card.

    They hold reference models, baselines, and what is added.
    """
    from numprobe.reports.page import Section  # charts need the extra packages of numprobe[plot]

    reference = Reference()
    known = [result for cell in reference_cells() if (result := reference.load(cell)) is not None]
    results = {result.cell: result for result in (*known, *added)}
    made = []
    for section in all_sections():
        if not section.rivals:  # it looks at the same results as another
            continue
        asked = {_question(asked.of("random")) for quick in (False, True) for asked in section.asks(quick)}
        own = [result for result in results.values() if _question(result.cell) in asked and not result.layers]
        if own:
            made.append(Section(section.name, section.title, "", "numprobe leaderboard", own, _only_in_the_paper(own)))
    names = (*reference_models(), *BASELINES, *(result.cell.embedder for result in added))
    cards = [card for name in dict.fromkeys(names) for card in _card(name, results)]
    return _verdicts(cards), made


def _only_in_the_paper(results: Sequence[Result]) -> dict[str, str]:
    """The paper's methods that stand in the columns of these results without one of ours, each with how to get it."""
    there = {SAME_VECTORS.get(result.cell.embedder, result.cell.embedder) for result in results}
    wanted = [
        name
        for name in PAPER_EMBEDDERS
        if name not in there and any(published(replace(result.cell, embedder=name)) for result in results)
    ]
    return {name: how for name in wanted if (how := not_here(EMBEDDERS.build(name)))}


def _card(name: str, results: Mapping[Cell, Result]) -> list[Card]:
    """The quick card of an embedder, if it has one that can be read by its name alone."""
    try:
        card = read_card(name, "", True, results.get)
    except NumprobeError:
        return []
    return [card] if card.measured else []


def _verdicts(cards: Sequence[Card]) -> Table:
    """What each model knows and can be relied on for, with those that know the most first."""
    ordered = sorted(cards, key=lambda card: -sum(own.holds for own in card.claims))
    return Table(
        "What the quick cards say",
        [Heading(name) for name in ("model", "knows beyond the text", "in", "can be relied on", "for")],
        [[card.model, *_counted(card.claims), *_counted(card.uses)] for card in ordered],
    )


def _counted(statements: Sequence[Statement]) -> tuple[str, str]:
    """How many statements hold, and in which sections."""
    sections = dict.fromkeys(own.section for own in statements if own.holds)
    return f"{sum(own.holds for own in statements)} of {len(statements)}", ", ".join(sections) or "–"


def _question(cell: Cell) -> tuple[object, ...]:
    """What a cell asks, whomever it asks."""
    return tuple(value for name, value in cell.as_dict().items() if name not in ("embedder", "missing"))
