"""The leaderboard: the cards of all reference models, of baselines, and of one's own, side by side."""

from collections.abc import Sequence
from pathlib import Path

from numprobe.cards.card import all_sections, reference_cells
from numprobe.cards.reference import Reference
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.files.untrusted import parse_json
from numprobe.reports.page import Section


def read_results(path: str) -> list[Result]:
    """The results in a file that `numprobe card --json` or `numprobe show --json` wrote."""
    try:
        found = parse_json(Path(path).read_text(encoding="utf-8"), path)
        entries = found["results"] if isinstance(found, dict) else found
        results = [Result.from_dict(entry) for entry in entries]
    except OSError as error:
        raise NumprobeError(f"can't read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise NumprobeError(
            f"{path} holds no results: write some with numprobe card MODEL --json > {path} ({error})"
        ) from None
    if not results:
        raise NumprobeError(f"{path} holds no results")
    return results


def leaderboard(added: Sequence[Result] = ()) -> list[Section]:
    """A section of a page for each section of the card: reference models, baselines, and what is added."""
    reference = Reference()
    known = [result for cell in reference_cells() if (result := reference.load(cell)) is not None]
    results = list({result.cell: result for result in (*known, *added)}.values())
    made = []
    for section in all_sections():
        asked = {_question(asked.of("random")) for quick in (False, True) for asked in section.asks(quick)}
        own = [result for result in results if _question(result.cell) in asked and not result.layers]
        if own:
            made.append(Section(section.name, section.title, "", "numprobe leaderboard", own))
    return made


def _question(cell: Cell) -> tuple[object, ...]:
    """What a cell asks, whomever it asks."""
    return tuple(value for name, value in cell.as_dict().items() if name not in ("embedder", "missing"))
