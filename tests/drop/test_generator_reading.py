"""Passages read back: the sentences state exactly the facts."""

import re
from functools import cache

import pytest

from numprobe.drop.generator import DOMAINS, Generated, GeneratorSettings
from numprobe.drop.generator.facts import Fact
from numprobe.drop.generator.language import load_domain, slots
from numprobe.drop.quantities import NUMBER_WORDS
from tests.drop.solver import generate_with_facts

NAME = r"[A-Z]\w*(?: (?:of |& )?[A-Z]\w*)*"
DATE = r"[io]n (?:\w+ )?(?:\w+,? )?(?P<{}>\d{{4}})"
NUMBER = rf"(?P<{{}}>\d[\d,]*(?:\.\d)?|(?i:{'|'.join(NUMBER_WORDS)}))"


@cache
def readers(name: str, measure: str) -> list[re.Pattern[str]]:
    """A pattern for each clause of a measure, with groups `entity` and `value`."""
    entity = r"(?P<entity>[A-Za-z]+)" if measure == "industry" else f"(?P<entity>{NAME})"
    fill = {"entity": entity, "value": NUMBER.format("value"), "when": DATE.format("value"), "a": "an?"}
    patterns = []
    for clause in load_domain(name).measures[measure].clauses:
        escaped = re.sub(r"([.$|])", r"\\\1", clause)
        opening = escaped if escaped.startswith("{") else f"[{escaped[0].upper()}{escaped[0]}]{escaped[1:]}"
        filled = opening.format_map({slot: fill.get(slot, NAME) for slot in slots(clause)})
        patterns.append(re.compile(rf"(?<![\w.,]){filled.replace('[io]n', '[IiOo]n')}(?!\w)"))
    return patterns


def read_back(made: Generated) -> set[tuple[str, str, str]]:
    name = made.passage.id.split("_")[1]
    return {
        _seen(measure, match["entity"], match["value"])
        for measure in {fact.measure for fact in made.facts}
        for reader in readers(name, measure)
        for match in reader.finditer(made.passage.text)
    }


def _seen(measure: str, entity: str, value: str) -> tuple[str, str, str]:
    number = value.lower().replace(",", "")
    return measure, entity.split()[-1].lower(), str(NUMBER_WORDS.index(number)) if number in NUMBER_WORDS else number


def _known(fact: Fact) -> tuple[str, str, str]:
    return _seen(fact.measure, fact.entity, str(fact.value))


@pytest.mark.parametrize("name", DOMAINS)
def test_a_passage_read_back_gives_its_facts(name: str) -> None:
    for made in generate_with_facts(GeneratorSettings(passages=50, domains=(name,), words=0.5)):
        assert read_back(made) == {_known(fact) for fact in made.facts}, made.passage.text
