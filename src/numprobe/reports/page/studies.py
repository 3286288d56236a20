"""The studies of NAQANet on the page."""

from collections.abc import Sequence

from numprobe.drop.studies import Study
from numprobe.reports.page.markup import Html, tag
from numprobe.reports.studies import HEADINGS, lines


def studied(studies: Sequence[Study]) -> Html:
    """A section with a table for each study; what has to be known about its scores stands above them."""
    return tag(
        "section", tag("h2", "Questions about numbers in text: NAQANet on DROP"), *map(_table, studies), id="drop"
    )


def _table(study: Study) -> Html:
    head = tag("tr", *(tag("th", heading, scope="col") for heading in HEADINGS))
    body = (tag("tr", tag("th", row, scope="row"), *(tag("td", text) for text in rest)) for row, *rest in lines(study))
    return tag(
        "section",
        tag("h3", study.title),
        *(tag("p", note, class_="note") for note in study.notes),
        tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="scroll"),
    )
