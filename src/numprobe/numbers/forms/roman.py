"""Roman numerals: LXXV."""

import re
from dataclasses import dataclass
from typing import ClassVar

from numprobe.numbers.forms.base import Form, Limits, not_a_number

NUMERALS = {
    "M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10, "IX": 9, "V": 5,
    "IV": 4, "I": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Roman(Form):
    """Roman numerals: LXXV."""

    name: ClassVar[str] = "roman"

    @property
    def limits(self) -> Limits:
        return Limits(1, 3999, decimals=0)

    def write(self, value: float) -> str:
        rest, text = int(value), ""
        for numeral, size in NUMERALS.items():
            text += numeral * (rest // size)
            rest %= size
        return text

    def read(self, text: str) -> float:
        pieces = re.findall("CM|CD|XC|XL|IX|IV|[MDCLXVI]", text)
        value = sum(NUMERALS[piece] for piece in pieces)
        if not text or "".join(pieces) != text or self.write(value) != text:
            raise not_a_number(text)
        return float(value)
