"""The words of a question, from its structure."""

from numprobe.drop.generator.facts import Query
from numprobe.drop.generator.language import OPPOSITES, SUPERLATIVES, Ask, Domain
from numprobe.drop.generator.numerals import digits, plain


def word_question(ask: Ask, query: Query, domain: Domain) -> str:
    """The question in one of its wordings."""
    measure = domain.measures[query.measure]
    filled = {**measure.words, "where": "".join(domain.where[part].format(told) for part, told in query.where)}
    filled |= zip(("one", "other"), query.entities, strict=False)
    if query.bound is not None:
        filled["bound"] = plain(query.bound) if measure.sort == "event" else digits(query.bound)
    for high, low in OPPOSITES.items():
        if high in ask.slots:
            word = high if query.largest else low
            filled[high] = f"second {word}" if high in SUPERLATIVES and query.rank == 2 else word
    return ask.wording.format_map(filled)
