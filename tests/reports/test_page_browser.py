"""The page in a browser: it sorts, filters and tells about cells, without an error and without the network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from numprobe.experiments import Cell
from numprobe.reports.geometry import layout
from numprobe.reports.page import Section, page
from tests.conftest import make_result

BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

METHODS = ("random", "value", "char-cnn")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = [
        make_result(method, task, numbers)
        for method in METHODS
        for task in ("decoding", "addition")
        for numbers in ("0:99", "0:999")
    ]
    for at, result in enumerate(results):
        result.scores[:] = [score + 10 * (at * 7 % len(results)) for score in result.scores]
    path = tmp_path_factory.mktemp("page") / "report.html"
    shown = Section("integers", "Integers", "", "numprobe run integers", results, {"elmo": "give its folder"})
    path.write_text(page([shown], [], {}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def watched(browser: Any, file: Path, width: int = 1200, **more: str) -> Iterator[Any]:
    """A tab with a page, which must not have complained nor asked for anything else in the end."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **more)
    tab = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(file.as_uri())
    yield tab
    assert complaints == []
    assert asked == [file.as_uri()]
    context.close()


@pytest.fixture
def tab(browser: Any, file: Path) -> Iterator[Any]:
    with watched(browser, file, reduced_motion="reduce") as tab:
        yield tab


def column(tab: Any, number: int) -> list[float | None]:
    """The values of a column of the first table, from top to bottom."""
    rows = tab.locator(".suite table").first.locator("tbody tr")
    cells = [rows.nth(at).locator("td").nth(number).get_attribute("data-value") for at in range(rows.count())]
    return [None if cell is None else float(cell) for cell in cells]


def test_a_column_sorts_up_down_and_back(tab: Any) -> None:
    before = column(tab, 1)
    heading = tab.locator(".suite table").first.locator("thead tr:last-child th").nth(1)
    present = [value for value in before if value is not None]
    assert present != sorted(present)
    heading.locator("button").focus()
    for order, expected in (
        ("ascending", [*sorted(present), None]),
        ("descending", [*sorted(present, reverse=True), None]),
        ("none", before),
    ):
        tab.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == order
        assert column(tab, 1) == expected


def test_filters_leave_one_method_and_one_task(tab: Any) -> None:
    tab.select_option("select[name=method]", "value")
    assert tab.locator(".suite tbody th:visible").all_inner_texts() == ["value"]
    tab.select_option("select[name=task]", "addition")
    assert tab.locator(".suite table:visible").count() == 1
    assert tab.locator(".suite td:visible").count() == 2
    assert tab.locator("#filters output").inner_text() == "2 of 12 results"
    tab.click("button[type=reset]")
    assert tab.locator(".suite td:visible").count() == 16


def test_a_cell_tells_its_shuffles_and_its_exact_cell_when_pointed_at_or_focused(tab: Any) -> None:
    cells = tab.locator(".suite table").first.locator("td[data-detail]")
    detail = tab.locator("#detail")
    assert not detail.is_visible()
    cells.first.hover()
    assert detail.is_visible()
    assert detail.locator("li").count() == 5
    assert make_result("random", "decoding", "0:99").cell.hash in detail.inner_text()
    cells.first.focus()
    tab.keyboard.press("ArrowDown")
    assert "value, decoding" in detail.inner_text()
    tab.keyboard.press("Escape")
    assert not detail.is_visible()


def test_charts_are_drawn_and_colours_can_be_switched(tab: Any) -> None:
    tab.wait_for_selector("#chart-magnitude svg")
    assert tab.locator("#chart-magnitude svg path").count() > len(METHODS)
    ground = "getComputedStyle(document.body).backgroundColor"
    before = tab.evaluate(ground)
    tab.click("#theme")
    assert tab.evaluate(ground) != before


def test_a_phone_does_not_scroll_sideways(tab: Any) -> None:
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.wait_for_selector("#chart-magnitude svg")
    tab.wait_for_timeout(500)  # charts are drawn again a moment after a change of width
    assert tab.evaluate("document.documentElement.scrollWidth") == 390


def test_names_with_markup_do_nothing(browser: Any, tmp_path: Path) -> None:
    evil = "<img src=x onerror=document.title='harmed'></script><b>\"'"
    cell = Cell.make(len, "decoding", "0:99", name=evil)
    made = {"seconds": 1.0, "device": evil, evil: evil}
    results = [replace(make_result(), cell=cell, made=made)]
    path = tmp_path / "report.html"
    path.write_text(page([Section(evil, evil, evil, evil, results, {evil: evil})], [], {evil: evil}), encoding="utf-8")
    tab = browser.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto(path.as_uri())
    tab.locator("td[data-detail]").last.hover()
    assert evil in tab.locator("#detail").inner_text()
    tab.wait_for_selector("#chart-magnitude svg")
    tab.locator("#chart-magnitude svg .mark-symbol path").first.hover()
    tab.wait_for_selector("#vg-tooltip-element.visible")
    assert evil in tab.locator("#vg-tooltip-element").inner_text()
    assert tab.locator("img, b").count() == 0
    assert tab.title() == "numprobe: do NLP models know numbers?"
    assert complaints == []
    tab.close()


def test_a_browser_draws_every_number_line(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    layouts = [layout("value:scale=raw", "0:99"), layout("random", "0:99")]
    path.write_text(page([], [], {}, layouts=layouts), encoding="utf-8")
    with watched(browser, path) as tab:
        tab.wait_for_selector("#chart-geometry-1 svg")
        assert tab.locator("#geometry svg").count() == 2
