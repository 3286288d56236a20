from dataclasses import replace

import pytest

from numprobe.drop.changes import STRESS_TESTS
from numprobe.drop.data import Passage
from numprobe.drop.naqanet.studying import PARTS, augmentation, breakdown, stress
from numprobe.drop.selecting import count
from tests.drop.naqanet.conftest import untrained


def test_the_breakdown_counts_every_type(generated: tuple[Passage, ...]) -> None:
    figures = {own.part: own for own in breakdown(untrained(generated), generated)}
    assert tuple(figures) == PARTS
    assert figures["all"].count == count(generated)
    assert figures["superlative"].count == figures["superlative_number"].count + figures["superlative_span"].count > 0


def test_every_row_of_the_stress_test_has_the_same_questions(generated: tuple[Passage, ...]) -> None:
    figures = stress(untrained(generated), generated)
    assert [own.row for own in figures if own.part == "superlative"] == ["original", *STRESS_TESTS]
    assert {own.count for own in figures if own.part == "all"} == {count(generated)}
    original = next(own.f1 for own in figures if own.part == "all")
    for own in figures:
        if own.part == "all" and own.difference is not None:
            assert own.f1 is not None
            assert original is not None
            assert own.f1 - original == pytest.approx(own.difference)


def test_augmentation_sets_two_models_side_by_side(generated: tuple[Passage, ...]) -> None:
    reader = untrained(generated)
    figures = augmentation({"plain": reader, "augmented": replace(reader)}, generated)
    rows = {(own.row, own.part): own for own in figures}
    assert {row for row, _ in rows} == {"plain: original", "plain: bigger", "augmented: original", "augmented: bigger"}
    assert rows["plain: bigger", "all"].f1 == rows["augmented: bigger", "all"].f1
