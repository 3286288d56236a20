"""The card and the leaderboard in a browser: no error, no request, readable on a phone and in the dark."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from numprobe.cards.card import reference_models
from numprobe.cards.page import card_page
from numprobe.cli import main
from tests.cards.test_card import STRENGTH, made
from tests.reports.test_page_browser import browser, pytestmark, watched  # noqa: F401

LONG = "endpoint:model=SmolLM2_135M_Instruct_Q4,url=http://127.0.0.1:40381/v1"


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_card_fits_and_asks_for_nothing(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:  # noqa: F811
    path = tmp_path / "card.html"
    card = replace(made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9)), model=LONG)
    path.write_text(card_page(card), encoding="utf-8")
    with watched(browser, path, width, color_scheme=scheme) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator("ul.verdict li").count() >= 6
        colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 30)")


def test_the_leaderboard_opens_sorts_and_filters_without_a_complaint(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    path, mine = tmp_path / "leaderboard.html", tmp_path / "mine.json"
    card = made("untrained-cnn:filters=50", lambda embedder: STRENGTH.get(embedder, 0.99))
    mine.write_text(card.to_json(), encoding="utf-8")
    assert main(["leaderboard", "add", str(mine), "--out", str(path)]) == 0
    assert path.stat().st_size < 5e6
    with watched(browser, path) as tab:
        rows = tab.locator("#compared tbody tr")
        names = [row.split("\t")[0].strip() for row in rows.all_inner_texts()]
        assert len(set(names) & set(reference_models())) >= 8
        assert "untrained-cnn:filters=50" in names
        only_in_the_paper = tab.locator(".suite table").first.locator("tr.absent th").all_inner_texts()
        assert [name.split()[0] for name in only_in_the_paper] == ["word2vec", "elmo", "bert"]
        heading = tab.locator(".suite table").first.locator("thead tr:last-child th").nth(1)
        heading.locator("button").click()
        assert heading.get_attribute("aria-sort") == "ascending"
        tab.select_option("select[name=method]", "minilm-l6")
        assert set(tab.locator(".suite tbody th:visible").all_inner_texts()) == {"minilm-l6"}
