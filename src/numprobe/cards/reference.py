"""The results that cards stand on: those of reference models and baselines, which come with numprobe."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from numprobe.cards.card import card_cells, reference_cells, rival_cells
from numprobe.experiments import Cell, Result, Store
from numprobe.experiments.archive import Bundle, current, pack_results, unpack_results
from numprobe.files.writing import write_whole

FILE = files("numprobe.cards") / "reference.json.xz"


class Reference:
    """Published results of cards, and of the suites, to be looked up as in a store."""

    def __init__(self) -> None:
        self._by_cell = {result.cell: result for result in unpack_results(FILE.read_bytes())}
        self._bundle = Bundle()

    def load(self, cell: Cell) -> Result | None:
        """The result of a cell, or None."""
        return self._by_cell.get(cell) or self._bundle.load(cell)

    def to_run(self, embedder: Any, name: str, quick: bool) -> list[Cell]:
        """What a model's card needs: its own cells, and those of its rivals that are not known."""
        unknown = [rival for rival in rival_cells(embedder, quick) if self.load(rival) is None]
        return list(dict.fromkeys((*card_cells(embedder, name, quick), *unknown)))


def publish_cards(store: Store) -> int:
    """Publish what a store has of the reference cards and the suites don't (`make publish`); return how many.

    What was published before and still holds stays.
    """
    bundle = Bundle()
    before = {result.cell.hash: result for result in current(FILE.read_bytes())}
    cells = [cell for cell in reference_cells() if bundle.load(cell) is None]
    results = [result for cell in cells if (result := store.load(cell) or before.get(cell.hash)) is not None]
    write_whole(Path(str(FILE)), pack_results(results))
    return len(results)
