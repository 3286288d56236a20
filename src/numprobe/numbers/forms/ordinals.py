"""Ordinals: 3rd, third."""

from dataclasses import dataclass
from typing import ClassVar

from numprobe.errors import one_of
from numprobe.numbers.forms.base import Form, Limits, not_a_number, read

IRREGULAR = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}


@dataclass(frozen=True)
class Ordinals(Form):
    """Places in an order: 3rd; style=spelled: third."""

    name: ClassVar[str] = "ordinals"

    style: str = "short"

    def __post_init__(self) -> None:
        one_of("style", self.style, ("short", "spelled"))

    @property
    def limits(self) -> Limits:
        return Limits(least=0, decimals=0)

    def write(self, value: float) -> str:
        from num2words import num2words

        return str(num2words(int(value), to="ordinal" if self.style == "spelled" else "ordinal_num"))

    def read(self, text: str) -> float:
        if self.style != "spelled":
            if text[-2:] not in ("st", "nd", "rd", "th") or not text[:-2].isdecimal():
                raise not_a_number(text)
            return float(text[:-2])
        at = max(text.rfind("-"), text.rfind(" ")) + 1
        last = text[at:]
        cardinal = IRREGULAR.get(last) or (f"{last[:-4]}y" if last.endswith("ieth") else last.removesuffix("th"))
        return read(text[:at] + cardinal)
