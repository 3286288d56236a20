"""The report: one HTML file with its tables, its charts, and the scripts that they need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from numprobe.analysis.findings import Finding
from numprobe.analysis.paper import published
from numprobe.drop.studies import Study
from numprobe.experiments import PAPER_SUITES, Result, Suite, absent
from numprobe.reports.charts import vega_script
from numprobe.reports.contents import grids
from numprobe.reports.geometry import Layout
from numprobe.reports.page.data import facts, filters, overview, summary, table
from numprobe.reports.pictures import PICTURES
from numprobe.reports.study_tables import study_tables
from numprobe.reports.tables import Table
from numprobe.reports.templates import environment, fingerprint

OWN = "own"
"""The name of the section of the results that belong to no suite."""


@dataclass(frozen=True)
class Section:
    """One suite on the page, and the command that reproduces it."""

    name: str
    title: str
    description: str
    command: str
    results: Sequence[Result]
    not_here: Mapping[str, str] = field(default_factory=dict)
    """Rows of the paper without a result -> how to get them."""


def sections(suites: Mapping[str, Suite], results: Sequence[Result]) -> list[Section]:
    """Make a first section of the results that belong to no suite, one's own, and then one of each suite."""
    made, found = [], {result.cell: result for result in results}
    for name, suite in suites.items():
        own = [found[cell] for cell in dict.fromkeys((*suite.cells, *suite.quick().cells)) if cell in found]
        if own:
            there = {result.cell.embedder for result in own}
            not_here = {embedder: how for embedder, how in absent(suite.cells).items() if embedder not in there}
            command = f"numprobe {'reproduce' if name in PAPER_SUITES else 'run'} {name}"
            made.append(Section(suite.name, suite.title, suite.description, command, own, not_here))
    shown = {result.cell for section in made for result in section.results}
    rest = [result for result in results if result.cell not in shown]
    if rest:
        made.insert(
            0, Section(OWN, "Your results", "Results that belong to none of the suites.", "numprobe show", rest)
        )
    return made


def page(
    sections: Sequence[Section],
    findings: Sequence[Finding],
    about: Mapping[str, str],
    studies: Sequence[Study] = (),
    is_published: bool = False,
    compared: Table | None = None,
    known: Sequence[Result] = (),
    layouts: Sequence[Layout] = (),
) -> str:
    """Write the whole report as one HTML document that needs no network and no server.

    Floors and ceilings come from the `known` results.
    """
    results = [result for section in sections for result in section.results]
    details: list[dict[str, Any]] = []
    tables = [
        [table(grid, section.not_here, details) for grid in grids(section.results, known)] for section in sections
    ]
    drawn = {name: picture.draw(results) for name, picture in PICTURES.items()}
    charts = {name: chart.configure().to_dict() for name, chart in drawn.items() if chart is not None}
    lines = {f"geometry-{number}": layout.line.configure().to_dict() for number, layout in enumerate(layouts)}
    scripts = {"script": _file("page.js"), "vega": vega_script() if charts or lines else ""}
    template = environment().get_template("page.html")
    return template.render(
        {name: Markup(script) for name, script in scripts.items()},
        style=Markup(_file("page.css")),
        allowed=Markup(" ".join(map(fingerprint, scripts.values()))),
        summary=summary(results),
        findings=findings if any(found.evidence for found in findings) else (),
        compared=compared,
        begins_with_own=bool(sections) and sections[0].name == OWN,
        has_paper=any(map(published, (result.cell for result in results))),
        overview=[(section, overview(section.results)) for section in sections],
        filters=filters([r.cell for r in results], [name for section in sections for name in section.not_here]),
        sections=list(zip(sections, tables, strict=True)),
        studies=study_tables(studies),
        pictures={name: PICTURES[name] for name in charts},
        is_published=is_published,
        facts=facts(results, about),
        details=details,
        layouts=dict(zip(lines, layouts, strict=True)),
        charts={**charts, **lines},
    )


def _file(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
