import json
from dataclasses import replace
from pathlib import Path

import pytest

from numprobe.drop.changes import STRESS_TESTS
from numprobe.drop.data import Passage, count_questions
from numprobe.drop.naqanet.files import MODEL, describe_reader, write_tensors
from numprobe.drop.stress import ORIGINAL
from numprobe.drop.studies import (
    BREAKDOWN_PARTS,
    Figures,
    Study,
    augmentation,
    breakdown,
    notes,
    paper,
    run_study,
    stress,
)
from tests.drop.naqanet.conftest import untrained


@pytest.mark.parametrize("part", ["all", "superlative"])
def test_the_differences_in_the_paper_match_its_scores(part: str) -> None:
    def own(row: str) -> Figures:
        found = paper("stress", Figures(row, part, 0, None, None))
        assert found is not None
        return found

    original = own(ORIGINAL).f1
    for row in STRESS_TESTS:
        f1, difference = own(row).f1, own(row).difference
        assert original is not None
        assert f1 is not None
        assert difference == pytest.approx(f1 - original, abs=0.05)


def test_a_study_is_described_with_the_figures_of_the_paper_and_read_back() -> None:
    made = Study("breakdown", "some model", ("A note.",), (Figures("model", "all", 10, 40.0, 50.0),))
    assert Study.from_dict(json.loads(json.dumps(made.as_dict()))) == made
    assert made.as_dict()["figures"][0]["paper"]["f1"] == 49.2
    assert paper("breakdown", Figures("model", "date", 1, 0.0, 0.0)) is None


def test_notes_say_what_the_model_was_trained_on_and_how_it_differs_from_the_papers() -> None:
    seen = {"generated": 5000, "real": 7600}
    (line,) = notes({"seen": seen, "sizes": {"wide": False}}, scored_on_generated=False)
    assert (
        line == "Trained on a set of 5,000 generated and 7,600 real questions; the paper's model saw 77,409 real ones."
    )
    _, beyond, scored = notes({"seen": seen, "sizes": {"wide": True, "matching": True}}, scored_on_generated=True)
    assert beyond.startswith("Unlike the paper's model, it reads decimals")
    assert "which words of the passage stand in the question" in beyond
    assert "not DROP scores" in scored


def test_the_breakdown_counts_every_type(generated: tuple[Passage, ...]) -> None:
    figures = {own.part: own for own in breakdown(untrained(generated), generated)}
    assert tuple(figures) == tuple(part for part in BREAKDOWN_PARTS if part in figures)
    assert all(own.em_error is not None and own.f1_error is not None for own in figures.values())
    guess, digits = (figures["superlative"].floors[name] for name in ("guess", "digits"))
    assert 20 < guess < digits < 90
    assert not figures["all"].floors, "extractions have no floor"
    assert figures["all"].count == count_questions(generated)
    assert figures["superlative"].count == figures["superlative_number"].count + figures["superlative_span"].count > 0


def test_every_row_of_the_stress_test_has_the_same_questions(generated: tuple[Passage, ...]) -> None:
    figures = stress(untrained(generated), generated)
    assert [own.row for own in figures if own.part == "superlative"] == ["original", *STRESS_TESTS]
    assert {own.count for own in figures if own.part == "all"} == {count_questions(generated)}
    original = next(own.f1 for own in figures if own.part == "all")
    for own in figures:
        if own.part == "all" and own.difference is not None:
            assert own.f1 is not None
            assert original is not None
            assert own.f1 - original == pytest.approx(own.difference)


def test_rows_for_programs_have_the_figures_of_the_paper() -> None:
    own = Figures("model", "superlative", 800, 40.0, 50.0, em_error=1.0, f1_error=2.0)
    (row,) = Study("breakdown", "some model", (), (own,)).rows()
    assert list(row)[:7] == ["model", "type", "count", "em", "f1", "paper_em", "paper_f1"]
    assert (row["model"], row["type"], row["paper_em"], row["paper_f1"]) == ("some model", "superlative", 64.6, 67.7)
    changed = Figures("add:low=1,high=20 (swapped)", "all", 10, 40.0, 50.0, -2.0, 0.5)
    (row,) = Study("stress", "some model", (), (changed,)).rows()
    assert row["label"] == "Add [1, 20], only the numbers' states"
    assert (row["difference"], row["paper_difference"]) == (-2.0, -1.5)


def test_augmentation_sets_two_models_side_by_side(generated: tuple[Passage, ...]) -> None:
    reader = untrained(generated)
    figures = augmentation({"plain": reader, "augmented": replace(reader)}, generated)
    rows = {(own.row, own.part): own for own in figures}
    assert {row for row, _ in rows} == {"plain: original", "plain: bigger", "augmented: original", "augmented: bigger"}
    assert rows["plain: bigger", "all"].f1 == rows["augmented: bigger", "all"].f1


def test_a_study_of_a_saved_model(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    reader = untrained(generated)
    about = {**describe_reader(reader), "seen": {"generated": 12, "real": 0}}
    write_tensors(tmp_path / MODEL, reader.network.state_dict(), about)
    folder = str(tmp_path)
    figures, lines = run_study("breakdown", folder, "", generated)
    assert figures == breakdown(reader, generated)
    assert lines[0].startswith("Trained on a set of 12 generated questions")
    assert "not DROP scores" in lines[1]
    assert run_study("stress", folder, "", generated, seed=1)[0] == stress(reader, generated, seed=1)
    rows, _ = run_study("augmentation", folder, folder, generated)
    assert rows == augmentation({"plain": reader, "augmented": reader}, generated)
