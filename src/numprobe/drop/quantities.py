"""The numbers in a text: where they are, their values, and how to write another value in the same style."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from numprobe.errors import NumprobeError
from numprobe.numbers import FORMS, read

Amount = int | Decimal

LARGEST_QUANTITY = 10**15
"""A larger result of a change is an error: no text contains such numbers."""
LARGEST_IN_WORDS = 10**12 - 1
"""Number words are read up to billions."""

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
"""The words that NAQANet reads as numbers."""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
MONTHS = "January February March April May June July August September October November December".split()

_DIGITS = re.compile(
    rf"""
    (?<![\w.,\#]) (?<![0-9][:/])               # not in a name (Q1, #1), an entity (&#225;), a time, a fraction
    (?: (?<![^\s(]) [-−] )?                     # a sign follows a space; otherwise it is a hyphen: 20-17
    (?: [0-9]{{1,3}}(?:,[0-9]{{3}}){{1,6}} | [0-9]{{1,20}} | (?=\.[0-9]) ) (?:\.[0-9]{{1,20}})?
    (?: \s (?i:{"|".join(_SCALES)})\b )?
    (?! \w | [,.:/][0-9] )                      # not an ordinal (1st) or a decade (1990s)
    """,
    re.VERBOSE,
)


def _words() -> re.Pattern[str]:
    ones, teens = "|".join(NUMBER_WORDS[1:10]), "|".join([NUMBER_WORDS[0], *NUMBER_WORDS[10:]])
    tens = "|".join(TENS)
    below_100 = rf"(?:(?:{tens})(?:[-\s](?:{ones}))?|{teens}|{ones})"
    below_1000 = rf"{below_100}(?:\shundred(?:\s(?:and\s)?{below_100})?)?\b"
    whole = rf"{below_1000}(?:[-\s](?:thousand|million|billion)\b(?:\s(?:and\s)?{below_1000})?)*"
    parts = "thirds|halves|quarters|fourths|fifths|sixths|sevenths|eighths|ninths|tenths"
    ordinals = "first|second|third|half|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    not_after = (
        rf"(?!-(?:{ordinals}|{parts})\b|\s(?:{parts.replace('|quarters', '')}|(?:hundred|thousand|million)ths?)\b)"
    )
    return re.compile(rf"(?<![\w-]){whole}(?:\sand\sa\shalf)?\b{not_after}", re.IGNORECASE)


_WORDS = _words()
_MONTH = f"(?:{'|'.join(MONTHS)})"
_BEFORE_DAY, _AFTER_DAY = re.compile(rf"\b{_MONTH}\s\Z"), re.compile(rf"\s(?:of\s)?{_MONTH}\b")
_MODEL = re.compile(r"\b[A-Z]\w*-\Z")
"""What precedes the number in a name: F-16, Su-25."""
_PRONOUN_BEFORE = re.compile(r"\b(?:no|the|this|that|which|any|every|another|number|other)\s\Z", re.IGNORECASE)
_PRONOUN_AFTER = re.compile(r"\s(?:of|another|by\sone)\b", re.IGNORECASE)
_NAME = re.compile(
    rf"""
    [0-9][0-9,]*(?:st|nd|rd|th|s|ers)\b | &\#[0-9]+ | \#[0-9]+ | [0-9]+:[0-9]+   # 3rd, 1990s, 49ers, entities, times
    | \b[A-Z]\w*-?[0-9]\w* | \b(?:km|m|ft)2\b                               # F-16, Q1, km2
    | \b{_MONTH}\s[0-9]{{1,2}}\b | \b[0-9]{{1,2}}\s(?:of\s)?{_MONTH}\b
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Quantity:
    """A number in a text; `text` is how it is written there."""

    start: int
    end: int
    text: str
    value: Amount


def quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers in a text, in order: digits, and words from zero to billions.

    Numbers that name or order things are skipped: ordinals, days of a month, decades, times, fractions, parts of
    names, and "one" as a pronoun.

    >>> [str(found.value) for found in quantities("On May 5, 1999 twenty-one of 1,234 men (5.50%) ran the 3rd mile.")]
    ['1999', '21', '1234', '5.50']
    """
    found = [*_found(_DIGITS, _digits_value, text), *_found(_WORDS, _words_value, text)]
    return tuple(sorted((each for each in found if not _is_name(each, text)), key=lambda each: each.start))


def written(value: Amount, like: Quantity) -> str:
    """Write a value in the style of another number: with its separators, its scale ("million"), or in words.

    >>> [written(found.value * 7, found) for found in quantities("Two of 1,234 cost 3.2 million")]
    ['Fourteen', '8,638', '22.4 million']
    """
    if not -LARGEST_QUANTITY <= value <= LARGEST_QUANTITY:
        raise NumprobeError(f"{like.text!r} becomes {value:,}, above {LARGEST_QUANTITY:,}: use a smaller change")
    if like.text[0].isalpha():
        text = in_words(value) if isinstance(value, int) else f"{value:f}"
        return text[0].upper() + text[1:] if like.text[0].isupper() else text
    number, *scale = like.text.split()
    if scale:
        places = len(number.partition(".")[2])
        scaled = Decimal(value) / _SCALES[scale[0].lower()]
        if scaled == round(scaled, places):
            return f"{scaled:,.{places}f} {scale[0]}"
        return f"{value:,}"
    if isinstance(value, int):
        plain = str(value).zfill(len(number)) if number.startswith("0") else str(value)
        return f"{value:,}" if "," in number else plain
    return f"{value:,f}" if "," in number else f"{value:f}"


def in_words(value: int) -> str:
    """A number in words.

    >>> in_words(1_021)
    'one thousand and twenty-one'
    """
    if abs(value) > LARGEST_IN_WORDS:
        raise NumprobeError(f"{value:,} is too large to write in words; the largest is {LARGEST_IN_WORDS:,}")
    return FORMS.build("words").write(value).replace(",", "")


def has_unread_number(text: str) -> bool:
    """Whether a text has digits that are neither in a number found nor in a name: a fraction, a typo.

    >>> [has_unread_number(text) for text in ("on May 5, the 3rd F-16", "3/4 of it", "a3-yard run")]
    [False, True, True]
    """
    return re.search("[0-9]", _NAME.sub(" ", replaced(text, lambda number: " "))) is not None


def replaced(text: str, rewriting: Callable[[Quantity], str]) -> str:
    """The text with each number rewritten."""
    pieces, end = [], 0
    for number in quantities(text):
        pieces += [text[end : number.start], rewriting(number)]
        end = number.end
    return "".join(pieces) + text[end:]


def token_value(token: str) -> int | None:
    """The value of a token that NAQANet reads as a number: a whole number in digits, or zero to nineteen.

    >>> [token_value(token) for token in ("1,234", "nineteen", "twenty", "Two", "5.5", "3rd")]
    [1234, 19, None, None, None, None]
    """
    digits = token.replace(",", "")
    if re.fullmatch("[0-9]{1,20}", digits):
        return int(digits)
    return NUMBER_WORDS.index(token) if token in NUMBER_WORDS else None


def wide_values(tokens: Sequence[str]) -> tuple[Amount | None, ...]:
    """The value of each token that is a number, also of those that the reference misses: decimals, "twenty", "Two".

    Of a number that is split at its hyphen, no token has a value.

    >>> wide_values(["Two", "or", "5.5", "of", "thirty", "in", "twenty", "-", "one"])
    (2, None, Decimal('5.5'), None, 30, None, None, None, None)
    """
    values = [_wide_value(token) for token in tokens]
    for place in range(len(tokens) - 2):
        if tokens[place].lower() in TENS and tokens[place + 1] == "-" and values[place + 2] is not None:
            values[place] = values[place + 2] = None
    return tuple(values)


def _wide_value(token: str) -> Amount | None:
    word, digits = token.lower(), token.replace(",", "")
    if word in TENS:
        return 10 * TENS.index(word) + 20
    if re.fullmatch(r"[0-9]{0,20}\.[0-9]{1,20}", digits):
        return Decimal(digits)
    return token_value(word)


def _found(pattern: re.Pattern[str], value: Callable[[str], Amount], text: str) -> list[Quantity]:
    return [Quantity(*match.span(), match[0], value(match[0])) for match in pattern.finditer(text)]


def _digits_value(text: str) -> Amount:
    number, *scale = text.replace(",", "").replace("−", "-").split()
    value = Decimal(number) * (_SCALES[scale[0].lower()] if scale else 1)
    return int(value) if scale or "." not in number else value


def _words_value(text: str) -> Amount:
    words, half, _ = text.lower().partition(" and a half")
    return Decimal(read(words)) + Decimal("0.5") if half else int(read(words))


def _is_name(found: Quantity, text: str) -> bool:
    """Whether a number is part of a name, the day of a month, or a pronoun."""
    before, after = text[max(0, found.start - 12) : found.start], text[found.end : found.end + 16]
    if found.text.lower() == "one":
        return not after.startswith("-") and bool(_PRONOUN_BEFORE.search(before) or _PRONOUN_AFTER.match(after))
    if _MODEL.search(before):
        return True
    may_be_day = found.text.isdecimal() and 1 <= found.value <= 31
    return may_be_day and bool(_BEFORE_DAY.search(before) or _AFTER_DAY.match(after))
