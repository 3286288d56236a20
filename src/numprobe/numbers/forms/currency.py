"""Amounts of money: $1,234.50, $3.2 million."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from numprobe.errors import one_of
from numprobe.numbers.forms.base import SCALES, Form, not_a_number, read_digits, shortest
from numprobe.numbers.forms.separators import grouped

NO_SCALE = "none"


@dataclass(frozen=True)
class Currency(Form):
    """Amounts of money: $1,234.50; scale=million: $3.2 million; sign=€: €75."""

    name: ClassVar[str] = "currency"

    sign: str = "$"
    scale: str = NO_SCALE
    """Write in thousands, millions and so on, with as many decimals as the number needs."""

    def __post_init__(self) -> None:
        one_of("scale", self.scale, (NO_SCALE, *SCALES))

    def write(self, value: float) -> str:
        amount = Decimal(shortest(abs(value)))
        if self.scale != NO_SCALE:
            text = f"{(amount / SCALES[self.scale]).normalize():f} {self.scale}"
        else:
            whole = amount == amount.to_integral_value()
            text = grouped(f"{amount:f}" if whole or -int(amount.as_tuple().exponent) > 2 else f"{amount:.2f}")
        return f"{'-' if value < 0 else ''}{self.sign}{text}"

    def read(self, text: str) -> float:
        sign, _, rest = text.partition(self.sign)
        amount, _, scale = rest.partition(" ")
        if sign not in ("", "-") or scale != self.scale.replace(NO_SCALE, ""):
            raise not_a_number(text)
        read_digits(amount.replace(",", ""), text)  # refuses what is no number
        size = float(Decimal(amount.replace(",", "")) * SCALES.get(scale, 1))
        return -size if sign else size
