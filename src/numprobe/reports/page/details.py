"""Everything about one result, as lines of a label and a text."""

from collections.abc import Iterable, Mapping
from typing import Any

from numprobe.analysis.comparison import Compared
from numprobe.experiments import Result

FIGURES = ("seconds", "device", "hardware", "revision")
"""What `Result.made` holds besides versions."""


def details(result: Result, compared: Compared | None) -> dict[str, Any]:
    """What the page shows of a result: the score of each shuffle, the exact cell, how it was made."""
    cell, made = result.cell, result.made
    versions = {key: value for key, value in made.items() if key not in FIGURES}
    lines = [
        ("ours", f"{result.metric} {result.mean:.4g} ± {result.std:.2g}"),
        ("paper", _paper(compared)),
        ("numbers", _coverage(result)),
        ("chosen", "; ".join(dict.fromkeys(_written(choice) for choice in result.choices))),
        ("hash", cell.hash),
        ("cell", _written({key: value for key, value in cell.as_dict().items() if value != ""})),
        ("settings", _written(_flat(cell.settings()))),
        ("took", f"{made['seconds']} s on {made['device']}" if {"seconds", "device"} <= made.keys() else ""),
        ("weights", made.get("revision", "")),
        ("versions", _written(versions, " ")),
    ]
    return {
        "title": f"{cell.embedder}, {cell.task}",
        "scores": [float(f"{score:.4g}") for score in result.scores],
        "lines": [[label, text] for label, text in lines if text],
    }


def _paper(compared: Compared | None) -> str:
    if compared is None:
        return ""
    return f"{compared.paper} ({compared.paper.table}): {compared.verdict}, difference {compared.difference:+.3g}"


def _coverage(result: Result) -> str:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    lacks = f"; without {', '.join(f'{value:g}' for value in result.missing[:5])}, …" if result.missing else ""
    return f"{covered} of {asked}{lacks}"


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        flat |= _flat(value, f"{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return flat


def _written(values: Mapping[str, Any], between: str = "=") -> str:
    return ", ".join(f"{key}{between}{_plain(value)}" for key, value in values.items() if value != "")


def _plain(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)
