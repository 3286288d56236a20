"""Numbers with units: 75 kg."""

from dataclasses import dataclass
from typing import ClassVar

from numprobe.errors import NumprobeError
from numprobe.numbers.forms.base import Form, read_digits, shortest


@dataclass(frozen=True)
class Units(Form):
    """Numbers with a unit: 75 kg; unit=miles: 75 miles."""

    name: ClassVar[str] = "units"

    unit: str = "kg"

    def __post_init__(self) -> None:
        if not self.unit.strip():
            raise NumprobeError("unit must not be empty: write units:unit=kg, or use form 'digits'")

    def write(self, value: float) -> str:
        return f"{shortest(value)} {self.unit}"

    def read(self, text: str) -> float:
        return read_digits(text.removesuffix(f" {self.unit}"), text)
