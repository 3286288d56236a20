"""The card as files: a page that needs no network, metadata for a model card, and a badge."""

import json
from dataclasses import replace
from html import escape
from importlib.metadata import version
from io import StringIO
from typing import Any

from markupsafe import Markup

from numprobe.analysis.statistics import interval
from numprobe.cards.base import Measured
from numprobe.cards.card import SECTIONS, Card
from numprobe.errors import NumprobeError
from numprobe.experiments import Result
from numprobe.reports.templates import environment


def card_page(card: Card) -> str:
    """One HTML file: the verdict, each score between its floor and its ceiling, pictures, and what was run."""
    sections = [
        (SECTIONS.build(name), part, [_bar(found) for found in part.measured], _picture(name, card))
        for name, part in card.parts.items()
        if part.has_something
    ]
    return (
        environment("numprobe.cards", ".")
        .get_template("card.html")
        .render(card=card, sections=sections, badge=Markup(badge(card)), version=version("numprobe"))
    )


def _bar(found: Measured) -> dict[str, Any]:
    """Where the marks of a score stand, in percent of the way from guessing to perfect."""
    own = found.own
    asked = (own.cell.task.partition(":")[0], own.cell.where, own.cell.other_probe)
    ends = [found.place(end) for end in _ends(found)]
    return {
        "title": found.asked.title or ", ".join(filter(None, asked)),
        "own": _percent(found.place(own)),
        "low": _percent(min((end for end in ends if end is not None), default=None)),
        "high": _percent(max((end for end in ends if end is not None), default=None)),
        "string": _percent(found.place(found.string)),
        "evidence": found.evidence,
        "beats": found.beats_strings,
    }


def _ends(found: Measured) -> list[Any]:
    """Results at the ends of the score's interval."""
    between = interval(found.own)
    return [replace(found.own, scores=[end]) for end in between] if between else []


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


def _picture(name: str, card: Card) -> Markup:
    """The section's picture as SVG; nothing where there is none, or numprobe[plot] is not installed."""
    wanted = SECTIONS.build(name).picture
    shown = card.parts[name].pictured
    if not wanted or not shown:
        return Markup("")
    try:
        from numprobe.reports.pictures import PICTURES
    except (ImportError, NumprobeError):
        return Markup("")
    drawn = PICTURES[wanted].draw(shown)
    if drawn is None:
        return Markup("")
    written = StringIO()
    drawn.configure_legend(labelLimit=0, orient="bottom", columns=1).save(written, format="svg")
    return Markup(written.getvalue())


def badge(card: Card) -> str:
    """A badge-sized SVG: how many statements hold."""
    claims = card.claims
    told = f"{sum(own.holds for own in claims)} of {len(claims)} beyond the text"
    left, right = 66, 12 + int(6.3 * len(told))
    colour = "#2f7d4f" if claims and all(own.holds for own in claims) else "#4c6a92"
    about = escape(f"numeracy of {card.model}: {told}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{about}">'
        f"<title>{about}</title>"
        f'<rect width="{left + right}" height="20" rx="3" fill="#444"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="7" y="14">numeracy</text><text x="{left + 6}" y="14">{escape(told)}</text></g></svg>'
    )


def metadata(card: Card) -> str:
    """The scores as a model card's metadata (`model-index`), in YAML."""
    lines = ["model-index:", f"- name: {json.dumps(card.model, ensure_ascii=False)}", "  results:"]
    for found in card.measured:
        own = found.own
        lines += [
            f"  - task: {{type: numeracy, name: {own.cell.parts.task.name}}}",
            f"    dataset: {{type: numprobe, name: {json.dumps(own.cell.where, ensure_ascii=False)}}}",
            f"    metrics: [{{type: {own.metric}, value: {own.mean:.4g}, name: {json.dumps(_told(own))}}}]",
            f"    source: {{name: numprobe {version('numprobe')}}}",
        ]
    return "\n".join(lines) + "\n"


def _told(result: Result) -> str:
    return f"{result.metric}, {result.cell.probe} probe, {result.cell.seeds} shuffles"
