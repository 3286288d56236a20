from collections.abc import Sequence
from dataclasses import dataclass

from numprobe.numbers import Form, Range


@dataclass(frozen=True)
class Scientific(Form):
    """Scientific notation: 7.5e+01."""

    name = "example-scientific"
    label = " in scientific notation"

    digits: int = 3

    def write(self, value: float) -> str:
        return f"{value:.{self.digits}e}"

    def problem(self, ranges: Sequence[Range]) -> str | None:
        largest = max(max(abs(part.low), abs(part.high)) for part in ranges)
        most = 10 ** (self.digits + 1) - 1
        return f"{self.name} writes {self.digits + 1} digits, and {largest} has more" if largest > most else None
