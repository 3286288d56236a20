"""How results were made: with what, on what, and how long it took."""

from collections.abc import Mapping, Sequence

from numprobe.experiments import Result
from numprobe.reports.page.details import FIGURES
from numprobe.reports.page.markup import Html, join, tag

PROTOCOLS = {
    "paper": "the paper's text to the letter; nothing is chosen on test numbers",
    "strict": "settings are chosen on development numbers, which are taken from the training numbers",
}


def spent(results: Sequence[Result]) -> str:
    """How long some results took, added up.

    >>> spent([])
    '0 s'
    """
    seconds = sum(result.made.get("seconds", 0.0) for result in results)
    return (
        f"{seconds / 3600:.1f} h"
        if seconds > 5400
        else f"{seconds / 60:.0f} min"
        if seconds > 90
        else f"{seconds:.0f} s"
    )


def made_with(results: Sequence[Result], about: Mapping[str, str]) -> Html:
    """A list of facts: those that are given, then those that the results hold."""
    facts = {
        **about,
        **{f"protocol {name}": PROTOCOLS.get(name, "") for name in sorted({r.cell.protocol for r in results})},
        "sampler of lists": ", ".join(sorted({r.cell.sampler for r in results if r.metric == "accuracy"})),
        "shuffles": ", ".join(map(str, sorted({len(r.scores) for r in results}))),
        "device": _distinct(results, "device"),
        "hardware": _distinct(results, "hardware"),
        "time": f"{spent(results)} of computing, added up over all results",
        **{key: _distinct(results, key) for r in results for key in r.made if key not in FIGURES},
    }
    return join(*(tag("dt", name) + tag("dd", text) for name, text in facts.items() if text))


def _distinct(results: Sequence[Result], key: str) -> str:
    return ", ".join(sorted({str(result.made[key]) for result in results if result.made.get(key)}))
