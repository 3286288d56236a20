"""A card claims only what a string does not give away."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from numprobe.cards import SECTIONS, Card, Part, Statement, card_cells, read_card
from numprobe.cards.card import rival_cells, sections_for
from numprobe.cards.page import badge, card_page, metadata
from numprobe.embedders import FunctionEmbedder
from numprobe.embedders.bm25 import BM25
from numprobe.embedders.saved_vectors import GivenVectors
from numprobe.embedders.strings import SIGNED_STRINGS
from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import run_cell
from numprobe.experiments.selection import Selection
from numprobe.metrics import METRICS
from numprobe.numbers import read as read_number
from tests.conftest import make_result


def scored(cell: Cell, quality: float) -> Result:
    """A result of a cell whose answers are right by chance, as far as the quality goes; at 1, they are perfect."""
    rng = np.random.default_rng(list(f"{cell}".encode()))
    metric = cell.parts.metric
    noise = 1 + 0.01 * (quality < 1) * rng.normal(size=cell.seeds)
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


def test_a_list_of_texts_is_not_asked_about_sentences() -> None:
    given = GivenVectors({str(number): [number, 1.0] for number in range(1000)})
    assert "search" not in {section.name for section in sections_for(given)}
    assert "search" in {section.name for section in sections_for("length")}


RIVALS = (BM25.name, *SIGNED_STRINGS)
STRENGTH = {
    "digit-one-hots": 0.8, "signed-digits": 0.75, "first-digit": 0.5, "edit-distance": 0.6, "length": 0.1, "bm25": 0.7,
}  # fmt: skip


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("name", [*SIGNED_STRINGS, "random"])
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
    assert "better than the best string (digit-one-hots: " in best.evidence


@pytest.mark.parametrize("quick", [True, False])
def test_the_text_may_be_relied_on_without_being_knowledge(quick: bool) -> None:
    card = made("digit-one-hots", lambda embedder: {"digit-one-hots": 0.95}.get(embedder, 0.1), quick)
    assert all(own.holds for own in card.uses)
    assert not any(own.holds for own in card.verdict)


@pytest.mark.parametrize(("quality", "holds"), [(0.89, False), (0.91, True)])
def test_values_can_be_relied_on_if_nine_in_ten_are_near(quality: float, holds: bool) -> None:
    card = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, quality))
    relied = [own for own in card.uses if own.section == "values"]
    assert [own.holds for own in relied] == [holds, holds]
    reach = "on [0,99] and [0,999]" if holds else "neither on [0,99] nor on [0,999]"
    assert card.parts["values"].lines == [f"Its values can be relied on to within 10 % {reach}."]


def test_nothing_is_claimed_where_the_text_is_perfect() -> None:
    card = made("untrained-cnn", lambda embedder: {**STRENGTH, "digit-one-hots": 1.0}.get(embedder, 0.999))
    assert card.claims == []
    assert "the text gives everything away (digit-one-hots)" in card.parts["sums"].lines[0]
    assert "nothing" in card.headline


def test_a_model_that_loses_to_the_text_is_told_so() -> None:
    card = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.4))
    assert all("worse than the best string" in own.evidence for own in card.verdict)
    assert not any(own.holds for own in card.claims)


def test_beating_bad_strings_is_not_enough_without_beating_guessing() -> None:
    card = made("untrained-cnn", lambda embedder: -1.0 if embedder in RIVALS else -0.2)
    (words,) = (own for own in card.verdict if own.section == "transfer")
    assert "better than" in words.evidence
    assert not words.holds


def test_nothing_is_claimed_while_a_string_was_not_asked() -> None:
    cells = (*rival_cells("untrained-cnn", True), *card_cells("untrained-cnn", quick=True))
    known = {cell: scored(cell, STRENGTH.get(cell.embedder, 0.99)) for cell in cells if cell.embedder != "length"}
    card = read_card("untrained-cnn", "", True, known.get)
    assert len(card.claims) >= 6
    assert not any(own.holds for own in card.claims)


def real_card(name: str, results: dict[Cell, Result], is_wanted: Callable[[Cell], bool]) -> Card:
    """A card from cells that are run, as far as they are wanted."""
    for cell in (*card_cells(name, quick=True), *rival_cells(name, quick=True)):
        if is_wanted(cell) and cell not in results:
            results[cell] = run_cell(cell)
    return read_card(name, "", True, results.get)


@pytest.fixture(scope="module")
def results() -> dict[Cell, Result]:
    """What was run already, for all tests."""
    return {}


@pytest.mark.parametrize("name", ["random", "gaussian:of=digit-one-hots", "length", "digit-one-hots"])
def test_no_real_card_of_noise_or_text_claims_anything(name: str, results: dict[Cell, Result]) -> None:
    card = real_card(name, results, lambda cell: cell.range == "0:99" and (cell.probe == "cosine" or cell.transfers))
    assert {own.section for own in card.claims} == {"nearness", "same", "transfer"}
    assert not any(own.holds for own in card.verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "gaussian:of=minilm-l6", "length", "digit-one-hots"])
def test_no_whole_quick_card_of_noise_or_text_claims_anything(name: str, results: dict[Cell, Result]) -> None:
    card = real_card(name, results, lambda cell: True)
    assert len(card.claims) == 7
    assert not any(own.holds for own in card.verdict)
    assert "nothing about numbers" in card.headline


@pytest.mark.slow
def test_the_quick_card_of_a_number_line_claims_what_a_string_cannot(results: dict[Cell, Result]) -> None:
    def line(texts: list[str]) -> np.ndarray:
        angles = np.array([read_number(text) for text in texts]) / 700
        return np.column_stack((np.cos(angles), np.sin(angles)))

    embedder = FunctionEmbedder(line)
    cells = {cell: run_cell(cell) for cell in card_cells(embedder, "line", True) if cell.probe in ("linear", "cosine")}
    for cell in rival_cells(embedder, True):
        if cell.probe in ("linear", "cosine") and cell not in results:
            results[cell] = run_cell(cell)
    card = read_card(embedder, "line", True, (results | cells).get)
    assert {own.section for own in card.claims if own.holds} == {"nearness", "forms", "same", "transfer"}
    assert all(own.holds for own in card.claims)


def test_the_json_has_the_model_its_verdict_and_its_scores() -> None:
    document = json.loads(made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9)).to_json())
    assert document["model"] == "untrained-cnn"
    assert {"statement", "holds", "evidence"} <= document["verdict"][0].keys()
    assert {"task", "range", "metric", "score", "interval", "guessing", "best_string"} <= document["scores"][0].keys()
    assert [Result.from_dict(entry).cell.embedder for entry in document["results"]] == ["untrained-cnn"] * 10


def test_the_page_asks_for_nothing_and_every_statement_leads_to_its_evidence() -> None:
    card = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9))
    told = Statement("An inner layer is better", True, "5 and 6", "layers")
    advised = replace(card, parts={**card.parts, "layers": Part(uses=[told])})
    assert advised.reliance == card.reliance
    text = card_page(advised)
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert "<script" not in text
    assert "An inner layer" in text
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


def test_a_card_and_its_page_need_no_charts(tmp_path: Path) -> None:
    """Without numprobe[plot], a card is written without pictures."""
    code = (
        "import sys; sys.modules['altair'] = None\n"
        "from numprobe.cli import main\n"
        "sys.exit(main(['card', 'digit-one-hots', '--quick', '--published', '--out', 'card.html']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    text = (tmp_path / "card.html").read_text(encoding="utf-8")
    assert 'id="ratios"' in text
    assert "<figure>" not in text
