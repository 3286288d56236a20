"""Studies of NAQANet as tables."""

from collections.abc import Iterable

from numprobe.drop.floors import LABELS
from numprobe.drop.studies import PART_LABELS, Figures, Study
from numprobe.drop.studies import paper as paper_figures
from numprobe.reports.tables import Heading, Table


def study_tables(studies: Iterable[Study]) -> list[Table]:
    """Tables of NAQANet's scores, and beside them the paper's; a column that would be empty is left out.

    >>> figures = Figures("original", "all", 100, em=42.0, f1=45.5)
    >>> (table,) = study_tables([Study("breakdown", "a small NAQANet", (), (figures,))])
    >>> table.title, table.rows
    ('NAQANet by question type: a small NAQANet', [('All Questions', '100', '42.0', '45.5')])
    """
    tables = []
    for study in studies:
        columns = {name: cells for name, cells in _columns(study).items() if any(cells)}
        rows = list(zip(*columns.values(), strict=True))
        about = {"study": study.name, "model": study.model}
        notes = {"notes": " ".join(study.notes)}
        tables.append(
            Table(
                study.title,
                list(map(Heading, columns)),
                rows,
                records=[about | dict(zip(columns, row, strict=True)) | notes for row in rows],
                documents=[study.as_dict()],
                notes=study.notes,
                labels=1 if study.name == "breakdown" else 2,
            )
        )
    return tables


def _columns(study: Study) -> dict[str, list[str]]:
    own = study.figures
    papers = [
        paper_figures(study.name, figures) or Figures(figures.row, figures.part, 0, None, None) for figures in own
    ]
    rows = [] if study.name == "breakdown" else [figures.label for figures in own]
    floors = {f"EM of {label}": [_score(each.floors.get(name)) for each in own] for name, label in LABELS.items()}
    return {
        "row": rows,
        "questions": [PART_LABELS.get(figures.part, figures.part) for figures in own],
        "count": [f"{figures.count:,}" for figures in own],
        "EM": [_score(figures.em, figures.em_error) for figures in own],
        "F1": [_score(figures.f1, figures.f1_error) for figures in own],
        "ΔF1": [_score(figures.difference, figures.error, "+") for figures in own],
        "paper EM": [_score(figures.em) for figures in papers],
        "paper F1": [_score(figures.f1) for figures in papers],
        "paper ΔF1": [_score(figures.difference, sign="+") for figures in papers],
        **floors,
    }


def _score(score: float | None, error: float | None = None, sign: str = "") -> str:
    """A score with its standard error.

    >>> _score(-1.24, 0.5, "+"), _score(7.0), _score(None)
    ('-1.2 ± 0.5', '7.0', '')
    """
    if score is None:
        return ""
    shown = f"{score:{sign}.1f}"
    return shown if error is None else f"{shown} ± {error:.1f}"
