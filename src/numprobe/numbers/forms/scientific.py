"""Scientific notation: 1.2e-5."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numprobe.errors import one_of
from numprobe.numbers.forms.base import Form, read_digits

STYLES = {"e": "e", "power": " × 10^"}


@dataclass(frozen=True)
class Scientific(Form):
    """Scientific notation with as many digits as a number needs: 1.2e-5; style=power: 1.2 × 10^-5."""

    name: ClassVar[str] = "scientific"

    style: str = "e"

    def __post_init__(self) -> None:
        one_of("style", self.style, STYLES)

    def write(self, value: float) -> str:
        mantissa, _, power = np.format_float_scientific(value, trim="-").partition("e")
        return f"{mantissa}{STYLES[self.style]}{int(power)}"

    def read(self, text: str) -> float:
        return read_digits(text.replace(STYLES[self.style], "e"), text)
