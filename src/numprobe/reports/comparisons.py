"""Comparisons with the paper as tables."""

from collections.abc import Sequence

from numprobe.analysis.comparison import VERDICTS, Compared, by_table, compare, count
from numprobe.experiments import Result
from numprobe.reports.contents import heading, record, shown
from numprobe.reports.tables import Heading, Table

COMPARISON = ("embedder", "task", "numbers", "ours", "paper", "difference", "95 % interval", "")


def comparison_tables(results: Sequence[Result]) -> list[Table]:
    """Our numbers beside the paper's, a table for each of its tables, and one of what the paper does not have."""
    compared = compare(results)
    tables = []
    for group, counts in zip(by_table(compared), count(compared), strict=True):
        name = f"{counts['table']}{', quick' if counts['quick'] else ''}"
        verdicts = ", ".join(f"{number} {name}" for name in VERDICTS if (number := counts[name.replace(" ", "_")]))
        alarms = counts["false_alarms_expected"]
        note = f"If no cell truly differed, {alarms:g} would still be better or behind by chance." if alarms else ""
        title = f"{name}, {counts['cells']} cell{'' if counts['cells'] == 1 else 's'}: {verdicts}"
        tables.append(_table(title, COMPARISON, [(one.result, one) for one in group], note))
    known = {one.result.cell for one in compared}
    others = [(result, None) for result in results if result.cell not in known]
    return [*tables, _table("Not in the paper", COMPARISON[:4], others)] if others else tables


def _table(title: str, names: Sequence[str], pairs: Sequence[tuple[Result, Compared | None]], note: str = "") -> Table:
    rows, records = [], []
    for result, one in pairs:
        numbers, measured = heading(result)
        rows.append([result.cell.embedder, measured, numbers, shown(result), *(_figures(one) if one else ())])
        low, high = (one.interval if one else None) or (None, None)
        records.append(
            {
                **record(result, one.paper if one else None),
                "table": one and one.table,
                "quick": result.cell.is_quick,
                "difference": one and one.difference,
                "low": low,
                "high": high,
                "verdict": one and one.verdict,
                "reason": one and one.reason,
            }
        )
    return Table(title, list(map(Heading, names)), rows, records, notes=[note] if note else [], labels=3)


def _figures(one: Compared) -> tuple[str, str, str, str]:
    interval = "{:+.2f} to {:+.2f}".format(*one.interval) if one.interval else ""
    return str(one.paper), f"{one.difference:+.2f}", interval, one.because
