"""Percents: 7%."""

from dataclasses import dataclass
from typing import ClassVar

from numprobe.errors import one_of
from numprobe.numbers.forms.base import Form, read_digits, shortest

SIGNS = {"sign": "%", "spaced": " %", "word": " percent"}


@dataclass(frozen=True)
class Percents(Form):
    """A number of percents: 7%; style=spaced: 7 %; style=word: 7 percent."""

    name: ClassVar[str] = "percents"

    style: str = "sign"

    def __post_init__(self) -> None:
        one_of("style", self.style, SIGNS)

    def write(self, value: float) -> str:
        return shortest(value) + SIGNS[self.style]

    def read(self, text: str) -> float:
        return read_digits(text.removesuffix(SIGNS[self.style]), text)
