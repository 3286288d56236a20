"""Years, dates and times of day."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import ClassVar

from numprobe.errors import one_of
from numprobe.numbers.forms.base import Form, Limits, not_a_number, read_digits

EPOCH = date(1970, 1, 1)
MONTHS = (
    "January February March April May June July August September October November December".split()
)  # strftime's depend on the locale
DATES = ("long", "american", "iso")
CLOCKS = {"24": "%H:%M", "12": "%I:%M %p"}


@dataclass(frozen=True)
class Years(Form):
    """Years of our era: 1985; style=spelled: nineteen eighty-five; style=era: 1985 CE."""

    name: ClassVar[str] = "years"

    style: str = "short"

    def __post_init__(self) -> None:
        one_of("style", self.style, ("short", "spelled", "era"))

    @property
    def limits(self) -> Limits:
        return Limits(1, 9999, decimals=0)

    def write(self, value: float) -> str:
        if self.style == "spelled":
            from num2words import num2words

            return str(num2words(int(value), to="year"))
        return f"{int(value)} CE" if self.style == "era" else str(int(value))

    def read(self, text: str) -> float:
        if self.style == "spelled":
            if text not in (known := _years_in_words()):
                raise not_a_number(text)
            return float(known[text])
        return read_digits(text.removesuffix(" CE"), text)


@lru_cache(maxsize=1)
def _years_in_words() -> dict[str, int]:
    write, (least, most, _) = Years("spelled").write, Years().limits
    return {write(year): year for year in range(least, most + 1)}


@dataclass(frozen=True)
class Dates(Form):
    """Days since 1 January 1970, as dates: 14 March 1985; style=american: March 14, 1985; style=iso: 1985-03-14."""

    name: ClassVar[str] = "dates"

    style: str = "long"

    def __post_init__(self) -> None:
        one_of("style", self.style, DATES)

    @property
    def limits(self) -> Limits:
        return Limits((date.min - EPOCH).days, (date.max - EPOCH).days, decimals=0)

    def write(self, value: float) -> str:
        day = EPOCH + timedelta(days=int(value))
        if self.style == "iso":
            return day.isoformat()
        month = MONTHS[day.month - 1]
        return f"{month} {day.day}, {day.year}" if self.style == "american" else f"{day.day} {month} {day.year}"

    def read(self, text: str) -> float:
        try:
            if self.style == "iso":
                day = date.fromisoformat(text)
            else:
                first, second, year = text.replace(",", "").split()
                month, number = (first, second) if self.style == "american" else (second, first)
                day = date(int(year), MONTHS.index(month) + 1, int(number))
        except ValueError:
            raise not_a_number(text) from None
        return float((day - EPOCH).days)


@dataclass(frozen=True)
class Times(Form):
    """Minutes since midnight, as times of day: 14:30; clock=12: 2:30 pm."""

    name: ClassVar[str] = "times"

    clock: str = "24"

    def __post_init__(self) -> None:
        one_of("clock", self.clock, CLOCKS)

    @property
    def limits(self) -> Limits:
        return Limits(0, 24 * 60 - 1, decimals=0)

    def write(self, value: float) -> str:
        hour, minute = divmod(int(value), 60)
        if self.clock == "24":
            return f"{hour:02}:{minute:02}"
        return f"{hour % 12 or 12}:{minute:02} {'am' if hour < 12 else 'pm'}"

    def read(self, text: str) -> float:
        try:
            time = datetime.strptime(text, CLOCKS[self.clock])
        except ValueError:
            raise not_a_number(text) from None
        return float(60 * time.hour + time.minute)
