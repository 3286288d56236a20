"""A card claims only what a string does not give away."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from numprobe.cards import SECTIONS, Card, card_cells, read_card
from numprobe.cards.card import rival_cells
from numprobe.cards.page import badge, card_page, metadata
from numprobe.embedders.strings import STRINGS
from numprobe.experiments import Cell, Result
from numprobe.experiments.selection import Selection
from numprobe.metrics import METRICS
from tests.conftest import make_result


def scored(cell: Cell, quality: float) -> Result:
    """A result of a cell whose answers are right by chance, as far as the quality goes."""
    rng = np.random.default_rng(list(f"{cell}".encode()))
    metric = cell.parts.metric
    noise = 1 + 0.01 * rng.normal(size=cell.seeds)
    share, error = np.clip(0.2 + 0.8 * quality * noise, 0, 1), 100 * (1 - quality) * noise
    scores = share if metric.higher_is_better else error
    more = {
        name: [quality if METRICS.build(name).higher_is_better else (1 - quality)] * cell.seeds
        for name in METRICS
        if METRICS.build(name).answer is metric.answer and name != metric.name
    }
    size = len(Selection(cell).values)
    return Result(cell, metric.name, scores.tolist(), {"covered": size, "asked": size}, [], {}, more=more)


def made(name: str, quality: Callable[[str], float], quick: bool = True) -> Card:
    cells = card_cells(name, quick=quick)
    known = {cell: scored(cell, quality(cell.embedder)) for cell in (*rival_cells(name, quick), *cells)}
    return read_card(name, "", quick, known.get)


STRENGTH = {"digit-one-hots": 0.8, "first-digit": 0.5, "edit-distance": 0.6, "length": 0.1, "bm25": 0.7}


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("name", [*STRINGS, "random"])
def test_what_a_string_gives_away_is_not_knowledge(name: str, quick: bool) -> None:
    card = made(name, lambda embedder: STRENGTH.get(embedder, 0.0), quick)
    assert len(card.verdict) >= 6
    assert not any(own.holds for own in card.verdict)
    assert "nothing about numbers" in card.headline


@pytest.mark.parametrize("quick", [True, False])
def test_what_goes_beyond_every_string_holds(quick: bool) -> None:
    card = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.99), quick)
    assert all(own.holds for own in card.verdict)
    assert "in everything that was asked" in card.headline
    best = next(own for own in card.verdict if own.section == "values")
    assert "best string (digit-one-hots)" in best.evidence


def test_values_can_be_relied_on_only_if_nearly_all_are_right() -> None:
    card = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9))
    relied = [own for own in card.verdict if "relied on" in own.statement]
    assert relied
    assert not any(own.holds for own in relied)


def test_the_json_has_the_model_its_verdict_and_its_scores() -> None:
    document = json.loads(made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9)).to_json())
    assert document["model"] == "untrained-cnn"
    assert {"statement", "holds", "evidence"} <= document["verdict"][0].keys()
    assert {"task", "range", "metric", "score", "interval", "guessing", "best_string"} <= document["scores"][0].keys()
    assert [Result.from_dict(entry).cell.embedder for entry in document["results"]] == ["untrained-cnn"] * 7


def test_the_page_asks_for_nothing_and_every_statement_leads_to_its_evidence() -> None:
    text = card_page(made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9)))
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert "<script" not in text
    for link in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{link}"' in text


def test_a_name_is_no_markup(tmp_path: Path) -> None:
    card = Card("<b>x</b>", True, {}, [make_result()])
    assert "<b>x" not in card_page(card)
    ElementTree.fromstring(badge(card))
    assert '"<b>x</b>"' in metadata(card)


def test_sections_are_in_their_places_and_have_names_and_titles() -> None:
    places = [SECTIONS.build(name).place for name in SECTIONS]
    assert len(set(places)) == len(places)
    assert all(SECTIONS.build(name).title.endswith("?") for name in SECTIONS)
