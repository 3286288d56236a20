"""The section of a card about families of probes."""

from numprobe.cards import SECTIONS, read_card
from numprobe.cards.page import card_page
from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import run_cell
from numprobe.probes import families
from tests.analysis.test_geometry import Layered
from tests.cards.test_card import STRENGTH, made

TOLD = ("90.0 %", "0.10"), ("80.0 %", "0.20")
"""What is made for the model and for the best string: the share that is right, and the error."""


def test_every_solved_family_has_a_line_beside_the_best_string() -> None:
    part = made("untrained-cnn", lambda embedder: STRENGTH.get(embedder, 0.9), quick=False).parts["shapes"]
    assert [line.partition(":")[0] for line in part.lines] == ["circular", "helix", "linear", "linear"]
    own, best = ("{} of held-out numbers exactly right, {} times the error of guessing".format(*told) for told in TOLD)
    assert all(f"{own}; strings at best: {best}." in line for line in part.lines)
    assert part.statements == ()


def test_a_quick_card_does_without() -> None:
    assert made("untrained-cnn", lambda embedder: 0.9).parts["shapes"].lines == []


def test_the_layer_that_holds_the_shape_is_named_and_drawn() -> None:
    section = SECTIONS.build("shapes")
    cells = section.cells(Layered("last"), "mine", quick=False)
    assert [cell.probe for cell in cells] == families(solved=True)
    linear = next(cell for cell in cells if cell.probe == "linear")
    found: dict[Cell, Result] = {linear: run_cell(linear)}
    card = read_card(Layered("last"), "mine", False, found.get)
    (line,) = card.parts["shapes"].lines
    assert line.startswith("linear (layer 1): 100.0 % of held-out numbers exactly right, 0.00 times the error")
    assert "In which shape" in card_page(card)
