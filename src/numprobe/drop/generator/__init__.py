"""Passages and questions in the manner of DROP, made from facts, so that every answer is exact."""

from numprobe.drop.generator.facts import KINDS, Fact, Kind, Query
from numprobe.drop.generator.generating import Generated, generate, generate_one, generate_with_facts, is_generated
from numprobe.drop.generator.language import DOMAINS
from numprobe.drop.generator.settings import Settings
from numprobe.drop.generator.solver import agrees, solve

__all__ = [
    "DOMAINS",
    "KINDS",
    "Fact",
    "Generated",
    "Kind",
    "Query",
    "Settings",
    "agrees",
    "generate",
    "generate_one",
    "generate_with_facts",
    "is_generated",
    "solve",
]
