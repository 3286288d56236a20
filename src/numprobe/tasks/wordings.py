"""What queries and documents say, in words that train and in others that test; and a user's own documents."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from numprobe.errors import NumprobeError
from numprobe.files.untrusted import read_text

CONDITIONS = ("less", "more", "between", "exact")


@dataclass(frozen=True)
class Subject:
    """Documents about one kind of thing, and the query that asks for one of them."""

    query: str
    """With {relation} where the condition and its numbers stand."""
    documents: tuple[str, ...]


@dataclass(frozen=True)
class Wordings:
    relations: Mapping[str, tuple[str, ...]]
    domains: tuple[Subject, ...]


RELATIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "train": {
        "less": ("under {number}", "less than {number}", "at most {number}"),
        "more": ("over {number}", "more than {number}", "at least {number}"),
        "between": ("between {number} and {number}", "from {number} to {number}"),
        "exact": ("exactly {number}", "precisely {number}"),
    },
    "test": {
        "less": ("below {number}", "no more than {number}"),
        "more": ("above {number}", "no less than {number}"),
        "between": ("in the range of {number} to {number}",),
        "exact": ("just {number}",),
    },
}

DOMAINS: Mapping[str, tuple[Subject, ...]] = {
    "train": (
        Subject("phones {relation} dollars", ("This phone costs {number} dollars.", "A phone for {number} dollars.")),
        Subject("hikes {relation} kilometres", ("The hike is {number} kilometres long.", "A {number} kilometre hike.")),
        Subject("flats {relation} square metres", ("A flat of {number} square metres.",)),
        Subject("books {relation} pages", ("The book has {number} pages.", "A book with {number} pages.")),
    ),
    "test": (
        Subject("phones {relation} dollars", ("You can buy this phone for {number} dollars.",)),
        Subject("hikes {relation} kilometres", ("On this hike you walk {number} kilometres.",)),
        Subject("flats {relation} square metres", ("The flat measures {number} square metres.",)),
        Subject("books {relation} pages", ("This book is {number} pages long.",)),
    ),
}

_FIRST_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def wordings(corpus: str, part: Literal["train", "test"]) -> Wordings:
    """The words of one part: numprobe's own, or those of a user's documents, of which every other one tests."""
    if not corpus:
        return Wordings(RELATIONS[part], DOMAINS[part])
    templates, _ = read_corpus(corpus)
    own = templates[part == "test" :: 2]
    domains = tuple(Subject(template.replace("{number}", "{relation}"), (template,)) for template in own)
    return Wordings(RELATIONS[part], domains)


@lru_cache(maxsize=8)
def read_corpus(path: str) -> tuple[tuple[str, ...], str]:
    """The lines of a text file with {number} in place of their first number, and what identifies them."""
    text = read_text(path, "corpus")
    templates = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if "{" in line or "}" in line:
            raise NumprobeError(f"{path}, line {number}: a document can't have braces")
        if not _FIRST_NUMBER.search(line):
            raise NumprobeError(f"{path}, line {number}: there is no number to change")
        templates.append(_FIRST_NUMBER.sub("{number}", line, count=1))
    distinct = tuple(dict.fromkeys(templates))
    if len(distinct) < 4:
        raise NumprobeError(f"{path} has {len(distinct)} different documents, and retrieval needs 4: half of them test")
    return distinct, hashlib.sha256("\n".join(distinct).encode()).hexdigest()[:12]
