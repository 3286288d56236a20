"""The numeracy card of a model: what it knows about numbers, beyond what their text gives away."""

from numprobe.cards.base import CardQuestion, CardSection, Evidence, Part, Statement
from numprobe.cards.card import SECTIONS, Card, card_cells, read_card

__all__ = [
    "SECTIONS",
    "Card",
    "CardQuestion",
    "CardSection",
    "Evidence",
    "Part",
    "Statement",
    "card_cells",
    "read_card",
]
