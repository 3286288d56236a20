import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numprobe.analysis import Finding
from numprobe.experiments import Cell, Result, load_suite
from numprobe.metrics import METRICS
from numprobe.reports.page import Section, environment, page, sections
from tests.conftest import make_result
from tests.reports.foreign import LargestError
from tests.reports.test_contents import STUDY

VOID = {"meta", "link", "br", "input"}
FINDINGS = [
    Finding("Five is <more> than four", True, ("✓ 5 & 4",)),
    Finding("Four is more than five", False, ("✗ 4 & 5",)),
    Finding("Seven is more", False, ("✗ than eight", "✓ than six")),
    Finding("Six is", None, ()),
]


class Reader(HTMLParser):
    """Checks that elements nest, and keeps texts, attributes and the data for the script."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data: dict[str, str] = {}

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, text: str) -> None:
        if self.open and self.open[-1] == "script":
            key = self.elements[-1][1].get("id") or ""
            self.data[key] = self.data.get(key, "") + text
        elif text.strip():
            self.texts.append(text.strip())


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def section(results: list[Result], **fields: object) -> Section:
    return Section(
        **{"name": "mine", "title": "Mine", "description": "", "command": "numprobe run mine"} | fields, results=results
    )


@pytest.fixture(scope="module")
def whole() -> Reader:
    methods = ("char-cnn", "value", "char-cnn:padding=right")
    results = [make_result(e, t) for e in methods for t in ("decoding", "addition")]
    quick = make_result("value", seeds=2)
    return read(
        page([section([*results, quick], not_here={"elmo": "give its folder"})], FINDINGS, {"written": "today"})
    )


def test_every_result_is_there_with_its_shuffles_cell_and_versions(whole: Reader) -> None:
    details = json.loads(whole.data["details"])
    cells = [attributes for name, attributes in whole.elements if name == "td" and "data-detail" in attributes]
    assert len(cells) == len(details) == 7
    assert sorted(int(cell["data-detail"] or "") for cell in cells) == list(range(7))
    assert all(cell["data-value"] for cell in cells)
    lines = [dict(detail["lines"]) for detail in details]
    assert {line["hash"] for line in lines} >= {make_result().cell.hash, make_result(seeds=2).cell.hash}
    assert details[-1]["scores"] == [0.25, 0.5, 0.75, 1.0, 1.25]
    assert lines[-1]["numbers"] == "100 of 100"


def test_ours_stands_beside_the_papers_with_a_verdict_that_is_not_colour_alone(whole: Reader) -> None:
    marks = {(a["class"], a.get("aria-label")) for n, a in whole.elements if n == "span" and a.get("role") == "img"}
    assert marks - {("best", "the best, or not distinguishable from it")} <= {
        ("mark", verdict) for verdict in ("better", "not distinguishable", "behind")
    }
    assert marks
    assert "1.20" in whole.texts  # value, decoding, [0,99] in the paper's Table 4
    assert "0.75" in whole.texts


def test_the_paper_stands_beside_the_whole_range_and_details_say_why_there_is_no_verdict() -> None:
    part = replace(make_result("glove-840b-300d-bert-words"), coverage={"covered": 90, "asked": 100})
    further = make_result("char-lstm", "list-maximum", "0:150", test_range="151:180")
    reader = read(page([section([part, further])], [], {}))
    assert "2.23" not in reader.texts
    assert "0.84" in reader.texts
    lines = [dict(detail["lines"])["paper"] for detail in json.loads(reader.data["details"])]
    assert any("no verdict: the embedder lacks numbers of the range" in line for line in lines)
    marks = [a["aria-label"] for n, a in reader.elements if n == "span" and a.get("role") == "img"]
    assert marks == ["no verdict: the paper gives no deviation, the shuffles share their numbers"]


def test_outlying_shuffles_and_probes_at_the_limit_are_shown() -> None:
    choices = [{"rate": 0.01, "stopped": "at the limit"}, *[{"rate": 0.01, "stopped": "by itself"}] * 4]
    odd = replace(make_result(), scores=[2.1, 2.0, 2.3, 9.4, 2.2], choices=choices, more={"r2": [0.5] * 5})
    reader = read(page([section([odd])], [], {}))
    assert "median 2.20†" in reader.texts
    assert any(text.startswith("† some shuffles are far") for text in reader.texts)
    assert "1 of 5 probes stopped at the limit of steps" in reader.texts
    (detail,) = json.loads(reader.data["details"])
    lines = dict(detail["lines"])
    assert lines["median"] == "2.2; far from the other shuffles: 3"
    assert lines["stopped"] == "1 of 5 probes at the limit of steps"
    assert lines["other metrics"] == "r2 0.5"
    assert lines["chosen"] == "rate=0.01, stopped=at the limit; rate=0.01, stopped=by itself"


def test_rows_that_are_not_here_show_the_papers_numbers_and_how_to_get_them(whole: Reader) -> None:
    at = whole.texts.index("not here")
    assert whole.texts[at - 1] == "elmo"
    assert whole.texts[at + 1 : at + 3] == ["2.35", "± 0.65"]  # decoding
    assert "give its folder" in whole.texts


def test_quick_results_are_marked(whole: Reader) -> None:
    at = whole.texts.index("quick")
    assert "2 shuffles" in whole.texts[at - 1]


def test_findings_say_whether_they_hold(whole: Reader) -> None:
    text = " ".join(whole.texts)
    assert re.search(r"✓\s+holds Five is <more> than four .* ✓ 5 & 4", text)
    assert re.search(r"✕\s+does not hold Four is more than five", text)
    assert re.search(r"◐\s+holds in 1 of 2 Seven is more", text)
    assert re.search(r"–\s+not measured Six is", text)


def test_a_page_of_ones_own_results_begins_with_them() -> None:
    results, others = [make_result("length")], [make_result("char-cnn")]
    own, suite = section(results, name="own", title="Your results"), section(others, name="demo", title="The demo")
    texts = read(page([own, suite], FINDINGS, {})).texts
    assert texts.index("Your results") < texts.index("The demo") < texts.index("The paper’s findings")
    texts = read(page([suite], FINDINGS, {})).texts
    assert texts.index("The paper’s findings") < texts.index("The demo")


def test_what_has_nothing_to_show_is_left_out() -> None:
    reader = read(page([section([make_result("length")], name="own")], FINDINGS[-1:], {}))
    assert FINDINGS[-1].evidence == ()
    assert "The paper’s findings" not in reader.texts
    assert not any("the paper’s" in text for text in reader.texts)


def test_the_page_needs_nothing_else_and_is_small() -> None:
    text = page([section([make_result()])], [], {})
    assert len(text.encode()) < 5_000_000
    reader = read(text)
    sources = [a.get("src") or a.get("href") or "" for _, a in reader.elements if "src" in a or "href" in a]
    assert all(source.startswith(("#", "data:")) for source in sources)
    assert "default-src 'none'" in text
    assert "url(" not in text.partition("</style>")[0]


@given(st.text(min_size=1))
def test_no_text_becomes_markup(text: str) -> None:
    texts = read(environment().from_string('<p title="{{ text }}">{{ text }}</p>').render(text=text))
    assert [name for name, _ in texts.elements] == ["p"]
    data = environment().from_string("{% import 'parts.html' as parts %}{{ parts.data('x', text) }}")
    shown = read(data.render(text=text))
    assert [name for name, _ in shown.elements] == ["script"]
    assert json.loads(shown.data["x"]) == text


def test_names_with_markup_are_shown_as_text() -> None:
    evil = '<img src=x onerror="alert(1)"></script><b>'
    cell = Cell.make(len, "decoding", "0:99", name=evil)
    result = replace(make_result(), cell=cell, made={"seconds": 1.0, "device": evil, "torch": evil})
    shown = section([result], title=evil, description=evil, command=evil, not_here={evil + "2": evil})
    reader = read(page([shown], [Finding(evil, True, (evil,))], {evil: evil}))
    assert not {"img", "b"} & {name for name, _ in reader.elements}
    assert reader.texts.count(evil) >= 8
    assert json.loads(reader.data["details"])[0]["title"] == f"{evil}, decoding"
    assert json.dumps(evil) in json.dumps(json.loads(reader.data["charts-data"]))


def test_a_browser_runs_the_two_scripts_of_the_page_and_no_other() -> None:
    text = page([section([make_result()])], [], {})
    policy = re.search(r"script-src ([^;]*)", text)
    assert policy
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert len(scripts) == 2
    assert sorted(policy[1].split()) == sorted(["'unsafe-eval'", *(f"'sha256-{one}'" for one in hashes)])


def test_a_study_has_a_table_with_its_note_and_no_markup_of_a_name() -> None:
    text = page([section([make_result()])], [], {}, [STUDY])
    study = text[text.index('<section id="drop">') : text.index('<section id="charts">')]
    assert study.index(STUDY.notes[0]) < study.index("<table")
    assert "a &lt;model&gt;" in study
    assert study.count("<tr>") == 3
    assert "<td>-35.7</td>" in study
    assert 'href="#drop"' in text
    assert 'href="#drop"' not in page([section([make_result()])], [], {})


def test_another_metric_has_its_direction_and_no_number_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS.makers, "largest-error", LargestError)
    rescored = make_result().rescored("largest-error")
    texts = read(page([section([rescored], not_here={"elmo": "give its folder"})], [], {})).texts
    at = texts.index("decoding (largest-error)")
    assert texts[at + 1] == "lower is better"
    assert not {"1.20", "2.35"} & set(texts)  # the paper's errors of value and elmo


def test_suites_become_sections_with_quick_results_after_ones_own() -> None:
    suite = load_suite("linear")
    full, quick = suite.cells[0], suite.quick().cells[0]
    results = {cell: replace(make_result(), cell=cell) for cell in (full, quick)}
    other = make_result("char-cnn:padding=right")
    own, first = sections({"linear": suite, "demo": load_suite("demo")}, [*results.values(), other])
    assert [result.cell for result in first.results] == [full, quick]
    assert (first.name, first.command) == ("linear", "numprobe reproduce linear")
    assert "elmo" in first.not_here
    assert full.embedder not in first.not_here
    assert list(own.results) == [other]
