"""Plain data for the templates: what each table, cell and fact on the page says."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from numprobe.analysis.comparison import UNKNOWN, VERDICTS, Compared, compare
from numprobe.analysis.paper import Published, beside, published
from numprobe.analysis.statistics import LEVEL, Paired, interval
from numprobe.experiments import Cell, Result
from numprobe.reports.contents import Grid
from numprobe.reports.tables import Heading

NOT_VERSIONS = ("seconds", "cpu_seconds", "device", "hardware", "revision", "requests")
"""What `Result.made` holds besides versions."""


def table(grid: Grid, not_here: Iterable[str], details: list[dict[str, Any]]) -> dict[str, Any]:
    """Prepare a grid, and append what the page's script shows of each result. `absent` rows are in the paper only."""

    def shown(column: Heading, result: Result | None) -> tuple[Result, Compared | None, int, bool] | None:
        """A result, the paper's number if it covers the whole range, its place among the details, and its mark."""
        if result is None:
            return None
        compared = next(iter(compare([result])), None)
        pair = next((pair for pair in grid.against_best[column] if pair.b is result), None)
        details.append(detail(result, compared, pair))
        return result, compared if beside(result) else None, len(details) - 1, grid.is_best(column, result)

    groups: dict[str, list[Result]] = {}
    for heading, example in grid.columns.items():
        groups.setdefault(heading.group, []).append(example)
    return {
        "title": grid.title,
        "is_quick": grid.results[0].cell.is_quick,
        "groups": groups,
        "columns": grid.columns,
        "notes": grid.notes,
        "rows": {name: [shown(column, row.get(column)) for column in grid.columns] for name, row in grid.rows.items()},
        "bounds": grid.bounds,
        "absent": {
            name: [_reported(name, example) for example in grid.columns.values()]
            for name in not_here
            if name not in grid.rows
        },
    }


def _reported(embedder: str, example: Result) -> Published | None:
    """The paper's number for another embedder in the column of a result."""
    is_own = example.metric == example.cell.parts.task.metric
    return published(replace(example.cell, embedder=embedder)) if is_own else None


def detail(result: Result, compared: Compared | None, pair: Paired | None = None) -> dict[str, Any]:
    """What the page shows of one result: the score of each shuffle, the exact cell, how it was made."""
    cell, made = result.cell, result.made
    versions = {key: value for key, value in made.items() if key not in NOT_VERSIONS}
    paper = ""
    if compared is not None:
        between = "; 95 % interval {:+.3g} to {:+.3g}".format(*compared.interval) if compared.interval else ""
        paper = (
            f"{compared.paper} ({compared.table}): {compared.because}; difference {compared.difference:+.3g}{between}"
        )
    lacks = f"; without {', '.join(f'{value:g}' for value in result.missing[:5])}, …" if result.missing else ""
    limited, known = result.stopped()
    mean = interval(result)
    lines = {
        "ours": f"{result.metric} {result.mean:.4g} ± {result.std:.2g}",
        "interval": "{:.4g} to {:.4g} (95 %, of the mean)".format(*mean) if mean else "",
        "best": _beside_best(pair) if pair else "",
        "median": f"{result.median:.4g}; far from the other shuffles: {', '.join(map(str, result.outlying))}"
        if result.outlying
        else "",
        "other metrics": _written({name: sum(own) / len(own) for name, own in result.more.items()}, " "),
        "paper": paper,
        "numbers": f"{result.coverage['covered']} of {result.coverage['asked']}{lacks}",
        "chosen": "; ".join(dict.fromkeys(_written(choice) for choice in result.choices)),
        "stopped": f"{limited} of {known} probes at the limit of steps" if known else "",
        "hash": cell.hash,
        "cell": _written(cell.as_dict()),
        "settings": _written(_flat(cell.settings())),
        "took": f"{made['seconds']} s on {made['device']}" if {"seconds", "device"} <= made.keys() else "",
        "requests": str(made.get("requests", "")),
        "weights": made.get("revision", ""),
        "versions": _written(versions, " "),
    }
    return {
        "title": f"{cell.embedder}, {cell.task}",
        "scores": [float(f"{score:.4g}") for score in result.scores],
        "lines": [[label, text] for label, text in lines.items() if text],
    }


def _beside_best(pair: Paired) -> str:
    low, high = pair.interval or (0.0, 0.0)
    verdict = "is better" if pair.better else "is not distinguishable"
    return f"{pair.a.cell.embedder} {verdict}: {pair.difference:+.3g} ({low:+.3g} to {high:+.3g}, p {pair.p_holm:.2g})"


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        flat |= _flat(value, f"{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return flat


def _written(values: Mapping[str, Any], between: str = "=") -> str:
    return ", ".join(f"{key}{between}{_plain(value)}" for key, value in values.items() if value != "")


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "/".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


def filters(cells: Sequence[Cell], absent: Iterable[str]) -> dict[str, Iterable[str]]:
    """The values that rows and columns can be filtered by."""
    return {
        "method": dict.fromkeys(name.partition(":")[0] for name in (*(cell.embedder for cell in cells), *absent)),
        "task": dict.fromkeys(cell.parts.task.name for cell in cells),
        "form": dict.fromkeys(cell.form for cell in cells),
    }


def summary(results: Sequence[Result]) -> str:
    """The sentences at the top of the page."""
    verdicts = _verdicts(layer for result in results for layer in result.by_layer())
    text = f"{len(results)} results of {len({result.cell.embedder for result in results})} embedders."
    if not verdicts:
        return text
    counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in VERDICTS)
    alarms = LEVEL * (verdicts.total() - verdicts[UNKNOWN])
    return (
        f"{text} The paper has a number for {verdicts.total()} of them: {counts}. "
        f"If none truly differed, {alarms:.1f} would still be better or behind by chance."
    )


def overview(results: Sequence[Result]) -> list[str]:
    """The figures of a suite: how many results, how they compare with the paper, and the time they took."""
    verdicts = _verdicts(results)
    compared = (verdicts[verdict] for verdict in VERDICTS)
    return [*map(str, (len(results), *compared, len(results) - verdicts.total())), spent(results)]


def _verdicts(results: Iterable[Result]) -> Counter[str]:
    return Counter(one.verdict for one in compare(results))


def spent(results: Iterable[Result]) -> str:
    """The computing time of some results, added up.

    >>> spent([])
    '0 s'
    """
    seconds = sum(result.seconds for result in results)
    if seconds > 5400:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def facts(results: Sequence[Result], about: Mapping[str, str]) -> dict[str, str]:
    """How the results were made: the facts that are given, then those that the results hold."""
    found = {
        **about,
        "shuffles": ", ".join(map(str, sorted({len(result.scores) for result in results}))),
        "device": _distinct(results, "device"),
        "hardware": _distinct(results, "hardware"),
        "time": f"{spent(results)} of computing, added up over all results",
        **{key: _distinct(results, key) for result in results for key in result.made if key not in NOT_VERSIONS},
    }
    return {name: text for name, text in found.items() if text}


def _distinct(results: Iterable[Result], key: str) -> str:
    return ", ".join(sorted({str(result.made[key]) for result in results if result.made.get(key)}))
