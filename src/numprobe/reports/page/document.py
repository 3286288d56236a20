"""The report: one HTML file that holds its tables, its charts and what draws them."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Any

from numprobe.analysis.comparison import Compared, compare
from numprobe.analysis.findings import Finding
from numprobe.drop.studies import Study
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.reports.figures import PICTURES
from numprobe.reports.page.making import made_with, spent
from numprobe.reports.page.markup import Html, data, join, tag
from numprobe.reports.page.sections import Section
from numprobe.reports.page.studies import studied
from numprobe.reports.page.tables import MARKS, Tables, filters
from numprobe.reports.plots import altair
from numprobe.reports.tables import grids

SIGNS = {"holds": "✓", "does not hold": "✕", "not measured": "–"}
"""A finding's verdict -> its sign; it may also hold here and there."""


def page(
    sections: Sequence[Section],
    findings: Sequence[Finding],
    about: Mapping[str, str],
    studies: Sequence[Study] = (),
    is_published: bool = False,
) -> str:
    """The whole report as one HTML document that needs no network and no server."""
    results = [result for section in sections for result in section.results]
    beside = {one.result.cell: one for one in compare(layer for result in results for layer in result.by_layer())}
    tables = Tables(beside)
    charts = _charts(results)
    scripts = {"script": _file("page.js"), "vega": _vega() if charts else ""}
    return Template(_file("page.html")).substitute(
        **scripts,
        style=_file("page.css"),
        allowed=" ".join(map(_fingerprint, scripts.values())),
        summary=_summary(results, beside),
        findings=join(*map(_finding, findings)),
        overview=_overview(sections, beside),
        filters=filters([result.cell for result in results], [name for s in sections for name in s.not_here]),
        sections=join(*(_section(section, tables) for section in sections)),
        studies=studied(studies) if studies else "",
        studies_link=tag("a", "DROP", href="#drop") if studies else "",
        charts=join(*(_figure(name, is_published) for name in charts)),
        made=made_with(results, about),
        commands=join(*(tag("dt", s.title) + tag("dd", tag("code", s.command)) for s in sections)),
        data=join(data("details", tables.details), data("charts-data", charts)),
    )


def _fingerprint(script: str) -> str:
    """What lets a browser run this script and no other, should markup slip in after all."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _charts(results: Sequence[Result]) -> dict[str, Any]:
    """The specification of each picture for which there are results. The page has colours of its own."""
    drawn = {name: picture.draw(results) for name, picture in PICTURES.items()}
    return {name: chart.configure().to_dict() for name, chart in drawn.items() if chart is not None}


@cache
def _vega() -> str:
    """Vega and Vega-Lite in the version that the charts are written for."""
    try:
        from vl_convert import javascript_bundle
    except ImportError:
        raise NumprobeError("the page needs vl-convert-python: pip install 'numprobe[plot]'") from None
    return str(javascript_bundle("window.vegaEmbed = vegaEmbed", ".".join(altair().SCHEMA_VERSION.split(".")[:2])))


def _summary(results: Sequence[Result], beside: Mapping[Cell, Compared]) -> Html:
    found = Counter(one.verdict for one in beside.values())
    reported = sum(found.values())
    methods = len({result.cell.embedder for result in results})
    agreeing = found["within"] + found["better"]
    agreement = (
        f"For {reported} of them the paper has a number: {agreeing} are within two deviations of it or better, "
        f"{found['behind']} are behind."
    )
    return tag("p", f"{len(results)} results of {methods} embedders. ", agreement if reported else "", class_="lead")


def _finding(finding: Finding) -> Html:
    says = finding.verdict
    lines = tag("ul", *(tag("li", line) for line in finding.evidence))
    return tag(
        "li",
        tag("span", tag("span", SIGNS.get(says, "◐"), aria_hidden="true"), " ", says, class_="verdict"),
        tag("div", tag("p", finding.statement), _more("The numbers", lines) if finding.evidence else ""),
        class_=says.replace(" ", "-") if says in SIGNS else "holds-in-part",
    )


def _more(summary: str, *inside: str) -> Html:
    return tag("details", tag("summary", summary), *inside)


def _overview(sections: Sequence[Section], beside: Mapping[Cell, Compared]) -> Html:
    """One line per suite: how many of its results lie where."""
    signs = [f"{sign} {name}" for name, sign in MARKS.items()]
    head = (tag("th", label, scope="col") for label in ("suite", "results", *signs, "not in the paper", "time"))
    lines = []
    for section in sections:
        found = Counter(beside[result.cell].verdict for result in section.results if result.cell in beside)
        link = tag("a", section.title, href=f"#suite-{section.name}")
        count = len(section.results)
        numbers = (count, *(found[name] for name in MARKS), count - found.total())
        figures = (*map(str, numbers), spent(section.results))
        lines.append(tag("tr", tag("th", link, scope="row"), *(tag("td", figure) for figure in figures)))
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *lines))


def _section(section: Section, tables: Tables) -> Html:
    absent = (tag("dt", name) + tag("dd", how) for name, how in section.not_here.items())
    return tag(
        "section",
        tag("h2", section.title),
        tag("p", section.description) if section.description else "",
        tag("div", *(tables.table(grid, list(section.not_here)) for grid in grids(section.results)), class_="tables"),
        tag("p", "Nothing here passes the filters.", class_="nothing", hidden=True),
        _more("Rows that are not here, and how to get them", tag("dl", *absent)) if section.not_here else "",
        tag("p", "Again: ", tag("code", section.command), class_="command"),
        id=f"suite-{section.name}",
        class_="suite",
    )


def _figure(name: str, is_published: bool) -> Html:
    picture = PICTURES[name]
    option = "--published " if is_published else ""
    return tag(
        "figure",
        tag("figcaption", tag("h3", picture.title), tag("p", picture.about)),
        tag("div", data_chart=name, class_="chart", role="group", aria_label=picture.title),
        tag("p", tag("code", f"numprobe plot {name} {option}--out {name}.svg"), class_="command"),
        id=f"chart-{name}",
    )
