"""What queries and documents say, in words that train and in others that test; and a user's own documents."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import read_text
from numprobe.numbers.mentions import NUMBER

CONDITIONS = ("less", "more", "between", "exact")


@dataclass(frozen=True)
class Subject:
    """Documents about one kind of thing, and the query that asks for one of them."""

    query: str
    """With {relation} where the condition and its numbers stand."""
    documents: tuple[str, ...]
    sign: str = ""
    """What stands right before each number, such as $."""

    def ask(self, relation: str) -> str:
        """The query with a condition in it.

        >>> Subject("It costs {relation}.", (), sign="$").ask("from {number} to {number}")
        'It costs from ${number} to ${number}.'
        """
        return self.query.replace("{relation}", relation.replace(NUMBER, self.sign + NUMBER))


@dataclass(frozen=True)
class Wordings:
    relations: Mapping[str, tuple[str, ...]]
    domains: tuple[Subject, ...]


KNOWN, NEW, NEGATED = WORDINGS = ("known", "new", "negated")
"""The words that a probe learns from, new words for the same, and "no more than" for less, which needs the "no"."""

RELATIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    KNOWN: {
        "less": ("under {number}", "less than {number}", "at most {number}"),
        "more": ("over {number}", "more than {number}", "at least {number}"),
        "between": ("between {number} and {number}", "from {number} to {number}"),
        "exact": ("exactly {number}", "precisely {number}"),
    },
    NEW: {
        "less": ("below {number}", "up to {number}"),
        "more": ("above {number}", "upwards of {number}"),
        "between": ("in the range of {number} to {number}",),
        "exact": ("just {number}",),
    },
    NEGATED: {
        "less": ("no more than {number}", "not over {number}"),
        "more": ("no less than {number}", "not under {number}"),
    },
}

_SAID_DIFFERENTLY = (
    Subject("phones {relation} dollars", ("You can buy this phone for {number} dollars.",)),
    Subject("hikes {relation} kilometres", ("On this hike you walk {number} kilometres.",)),
    Subject("flats {relation} square metres", ("The flat measures {number} square metres.",)),
    Subject("books {relation} pages", ("This book is {number} pages long.",)),
)

DOMAINS: Mapping[str, tuple[Subject, ...]] = {
    KNOWN: (
        Subject("phones {relation} dollars", ("This phone costs {number} dollars.", "A phone for {number} dollars.")),
        Subject("hikes {relation} kilometres", ("The hike is {number} kilometres long.", "A {number} kilometre hike.")),
        Subject("flats {relation} square metres", ("A flat of {number} square metres.",)),
        Subject("books {relation} pages", ("The book has {number} pages.", "A book with {number} pages.")),
    ),
    NEW: _SAID_DIFFERENTLY,
    NEGATED: _SAID_DIFFERENTLY,
}

_FIRST_NUMBER = re.compile(r"(?<![\w-])\d+(?:,\d{3})*(?:\.\d+)?")
"""Not the digits of MP3 or Boeing-747."""

_SIGNED = re.compile(r"([$€£¥]?)" + re.escape(NUMBER))


def wordings(corpus: str, wording: str) -> Wordings:
    """The words of numprobe's own queries and documents, or those of a user's, of which every other one is new."""
    if not corpus:
        return Wordings(RELATIONS[wording], DOMAINS[wording])
    templates, _ = read_corpus(corpus)
    return Wordings(RELATIONS[wording], tuple(map(_subject, templates[wording != KNOWN :: 2])))


def _subject(document: str) -> Subject:
    """A document, and the query that is the same sentence with a condition in it."""
    before, sign, after = _SIGNED.split(document)
    return Subject(f"{before}{{relation}}{after}", (document,), sign)


@lru_cache(maxsize=8)
def read_corpus(path: str) -> tuple[tuple[str, ...], str]:
    """The lines of a text file with {number} in place of a number, and what identifies them.

    It is the first number, unless a line has {number} in it already.
    """
    text = read_text(path, "corpus")
    templates = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if NUMBER not in line:
            line = _FIRST_NUMBER.sub(NUMBER, line, count=1)
        if line.count(NUMBER) != 1:
            raise NumprobeError(f"{path}, line {number}: there is no number to change, or {NUMBER} is there twice")
        templates.append(line)
    distinct = tuple(dict.fromkeys(templates))
    if len(distinct) < 4:
        raise NumprobeError(f"{path} has {len(distinct)} different documents, and retrieval needs 4: half of them test")
    return distinct, hashlib.sha256("\n".join(distinct).encode()).hexdigest()[:12]
