"""Number words, in every language that num2words has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product, takewhile
from typing import ClassVar

from numprobe.errors import one_of
from numprobe.numbers.forms.base import Form, Limits, not_a_number, read

ENGLISH = "en"

MOST = 10**6 - 1
"""The largest number in other languages: what is read back is found among thousands and the rest."""

ONLY_POSITIVE = ("am", "bn", "ce", "cs", "it", "pl", "sk", "tet", "vi")
"""Languages in which num2words writes no negative numbers, or not as "minus" and the positive one."""

SMALLER: Mapping[str, int] = {"am": 999, "az": 10_999, "tet": 99_999, "tr": 100_999}
"""Languages in which num2words fails, or writes two numbers alike, from somewhere on: the last number before that."""

RESTS = (1, 20, 100, 115, 999)
THOUSANDS = (2_000, 3_000, 13_000, 21_000, 500_000)
"""Numbers that show what is the same in the words of all with the same thousands, or with the same rest."""

TRIED = 12
"""How many of the best matching beginnings, and as many endings, are tried to read a number."""


@dataclass(frozen=True)
class Words(Form):
    """Whole numbers in words: seventy-five; language=fr: soixante-quinze.

    >>> Words().write(75), Words(language="fr").write(75), Words().read("seventy-five")
    ('seventy-five', 'soixante-quinze', 75.0)
    """

    name: ClassVar[str] = "words"

    language: str = ENGLISH
    """One of num2words' languages, such as fr, de, es, pt_BR, ru, ar, ja, ko, tr or fi."""

    def __post_init__(self) -> None:
        if self.language != ENGLISH:
            one_of("language", self.language, languages())

    @property
    def label(self) -> str:
        return " in words" if self.language == ENGLISH else f" in words ({self.language})"

    @property
    def limits(self) -> Limits:
        if self.language == ENGLISH:
            return Limits(decimals=0)
        most = SMALLER.get(self.language, MOST)
        return Limits(0 if self.language in ONLY_POSITIVE else -most, most, decimals=0)

    def write(self, value: float) -> str:
        from num2words import num2words

        return str(num2words(int(value), lang=self.language))

    def read(self, text: str) -> float:
        if self.language == ENGLISH:
            return read(text)
        return _reader(self)(text)


def languages() -> list[str]:
    """The languages of num2words, by their codes."""
    from num2words import CONVERTER_CLASSES

    return sorted(CONVERTER_CLASSES)


@lru_cache(maxsize=8)
def _reader(form: Words) -> Callable[[str], float]:
    """Read by writing: small and round numbers are looked up; others have thousands and a rest that fit."""
    write = form.write
    most = form.limits.most
    known: dict[str, int] = {
        write(number): number for number in (*range(min(2000, most + 1)), *range(2000, most + 1, 1000))
    }
    beginnings = [
        (thousand, _common_beginning([write(1000 * thousand + rest) for rest in RESTS]))
        for thousand in range(2, (most + 1) // 1000)
    ]
    endings = [
        (rest, _common_ending([write(thousands + rest) for thousands in THOUSANDS if thousands + rest <= most]))
        for rest in range(1000)
    ]
    minus = write(-1).removesuffix(write(1)) if form.limits.least < 0 else ""

    def positive(text: str) -> int | None:
        if text in known:
            return known[text]
        thousands = sorted((one for one in beginnings if text.startswith(one[1])), key=lambda one: -len(one[1]))
        rests = sorted((one for one in endings if text.endswith(one[1])), key=lambda one: -len(one[1]))
        for (thousand, _), (rest, _) in product(thousands[:TRIED], rests[:TRIED]):
            if write(1000 * thousand + rest) == text:
                return 1000 * thousand + rest
        return None

    def find(text: str) -> float:
        found = positive(text)
        if (
            found is None
            and minus
            and text.startswith(minus)
            and (opposite := positive(text[len(minus) :])) is not None
        ):
            found = -opposite
        if found is None:
            raise not_a_number(text)
        return float(found)

    return find


def _common_beginning(texts: Sequence[str]) -> str:
    """The characters that all texts begin with."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in same)


def _common_ending(texts: Sequence[str]) -> str:
    return _common_beginning([text[::-1] for text in texts])[::-1]
