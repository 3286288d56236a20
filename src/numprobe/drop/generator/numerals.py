"""How numbers and dates are written in passages and questions."""

from decimal import Decimal

import numpy as np

from numprobe.numbers import write

SMALL = write(np.arange(20), "words")
"""Numbers that a passage may write in words: those that the paper's model can read as words."""

MONTHS = "January February March April May June July August September October November December".split()


def digits(value: Decimal) -> str:
    """With separators, as in a text.

    >>> digits(Decimal(12400)), digits(Decimal("12.0"))
    ('12,400', '12.0')
    """
    return f"{value:,}"


def plain(value: Decimal) -> str:
    """Without separators and needless zeros, as in an answer.

    >>> plain(Decimal(12400)), plain(Decimal("12.0"))
    ('12400', '12')
    """
    return f"{value.normalize():f}"


def article(numeral: str) -> str:
    """The article before a number.

    >>> [article(numeral) for numeral in ("8", "11", "110", "18,000", "one", "eleven")]
    ['an', 'an', 'a', 'an', 'a', 'an']
    """
    leading = numeral.split(",")[0]
    spoken_with_vowel = numeral[0] == "8" or leading in ("11", "18") or numeral in ("eight", "eleven", "eighteen")
    return "an" if spoken_with_vowel else "a"
