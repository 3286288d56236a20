"""Comparisons as tables: with the paper, and of embedders with each other."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from numprobe.analysis.comparison import VERDICTS, Compared, by_table, compare, count
from numprobe.analysis.statistics import Paired
from numprobe.experiments import Result
from numprobe.reports.contents import FAR_OFF, FAR_OFF_NOTE, heading, record
from numprobe.reports.tables import Heading, Table

COMPARISON = ("embedder", "task", "numbers", "ours", "difference", "")


def comparison_tables(results: Sequence[Result]) -> list[Table]:
    """Our numbers and the paper's, a table for each of its tables, and one of what the paper does not have.

    >>> import numprobe
    >>> results = numprobe.probe(["random", "length"], numbers="0:50", probe="linear", seeds=5)
    >>> [table.title for table in comparison_tables(results)]
    ['Table 8, 1 cell: 1 no verdict', 'Not in the paper']
    """
    compared = compare(results)
    tables = []
    for group, counts in zip(by_table(compared), count(compared), strict=True):
        name = f"{counts['table']}{', quick' if counts['quick'] else ''}"
        verdicts = ", ".join(f"{number} {name}" for name in VERDICTS if (number := counts[name.replace(" ", "_")]))
        title = f"{name}, {counts['cells']} cell{'' if counts['cells'] == 1 else 's'}: {verdicts}"
        notes = list(_notes(group, counts["false_alarms_expected"]))
        tables.append(_table(title, COMPARISON, [(one.result, one) for one in group], notes))
    known = {one.result.cell for one in compared}
    others = [(result, None) for result in results if result.cell not in known]
    return [*tables, _table("Not in the paper", COMPARISON[:4], others)] if others else tables


def _notes(group: Sequence[Compared], alarms: float) -> Iterator[str]:
    if alarms:
        yield "difference: with the half-width of Welch's 95 % interval"
        yield f"if no cell truly differed, {alarms:g} would still be better or behind by chance"
    for reason, number in Counter(one.reason for one in group if one.reason).items():
        yield f"no verdict in {number}: {reason}"


def _table(
    title: str, names: Sequence[str], pairs: Sequence[tuple[Result, Compared | None]], notes: Sequence[str] = ()
) -> Table:
    rows = []
    for result, one in pairs:
        numbers, measured = heading(result)
        ours = f"{result.text}{FAR_OFF if result.outlying else ''}"
        compared = (f"{ours}\n{one.paper}", _difference(one), one.verdict) if one else (ours,)
        rows.append([result.cell.embedder, measured, numbers, *compared])
    records = [_record(result, one) for result, one in pairs]
    marked = [FAR_OFF_NOTE] if any(result.outlying for result, _ in pairs) else []
    return Table(title, list(map(Heading, names)), rows, records, notes=[*notes, *marked], labels=3)


def _difference(one: Compared) -> str:
    half = f" ± {(one.interval[1] - one.interval[0]) / 2:.2f}" if one.interval else ""
    return f"{one.difference:+.2f}{half}"


def _record(result: Result, one: Compared | None) -> dict[str, Any]:
    low, high = (one.interval if one else None) or (None, None)
    return {
        **record(result, one.paper if one else None),
        "table": one and one.table,
        "quick": result.cell.is_quick,
        "difference": one and one.difference,
        "difference_low": low,
        "difference_high": high,
        "verdict": one and one.verdict,
        "reason": one and one.reason,
    }


PAIRED = ("a", "b", "score of a", "score of b", "a - b", "p", "p (Holm)", "better")


def paired_table(pairs: Sequence[Paired]) -> Table:
    """Embedders compared with each other on one task.

    >>> import numprobe
    >>> results = numprobe.probe(["value", "length"], numbers="0:50", probe="linear")
    >>> table = paired_table(results.compare())
    >>> table.title, table.rows[0][-1]
    ('decoding (rmse, linear), [0,50], 20 shuffles', 'value')
    """
    title = ""
    if pairs:
        numbers, measured = heading(pairs[0].a)
        title = f"{measured}, {numbers}, {len(pairs[0].a.scores)} shuffles"
    reasons = Counter(pair.reason for pair in pairs if pair.reason)
    documents = [_paired_document(pair) for pair in pairs]
    return Table(
        title,
        list(map(Heading, PAIRED)),
        [_paired_row(pair) for pair in pairs],
        records=documents,
        documents=documents,
        notes=[
            "a - b: paired by shuffle, with its 95 % interval (corrected resampled t-test)",
            *(f"no verdict in {number}: {reason}" for reason, number in reasons.items()),
        ],
        labels=2,
    )


def _paired_row(pair: Paired) -> list[str]:
    decimals = pair.a.measure.decimals
    between = " ({:+.{d}f} to {:+.{d}f})".format(*pair.interval, d=decimals) if pair.interval else ""
    undecided = "no verdict" if pair.reason else "not distinguishable"
    return [
        pair.a.cell.embedder,
        pair.b.cell.embedder,
        pair.a.text,
        pair.b.text,
        f"{pair.difference:+.{decimals}f}{between}",
        _chance(pair.p),
        _chance(pair.p_holm),
        pair.better.cell.embedder if pair.better else undecided,
    ]


def _chance(p: float | None) -> str:
    """A p-value with as many digits as it bears."""
    if p is None:
        return ""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"


def _paired_document(pair: Paired) -> dict[str, Any]:
    return {
        "a": pair.a.cell.embedder,
        "b": pair.b.cell.embedder,
        "difference": pair.difference,
        "interval": pair.interval,
        "p": pair.p,
        "p_holm": pair.p_holm,
        "better": pair.better.cell.embedder if pair.better else None,
        "reason": pair.reason,
    }
