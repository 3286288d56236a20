import pytest

from numprobe.drop.changes import STRESS_TESTS
from numprobe.drop.stress import ORIGINAL
from numprobe.drop.studies import Figures, Study, notes, paper, read_studies, write_studies


@pytest.mark.parametrize("part", ["all", "superlative"])
def test_the_papers_differences_are_those_of_its_scores(part: str) -> None:
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


def test_a_study_is_written_and_read_again_with_the_papers_figures_beside_it() -> None:
    made = Study("breakdown", "some model", ("A note.",), (Figures("model", "all", 10, 40.0, 50.0),))
    assert read_studies(write_studies([made])) == [made]
    assert made.as_dict()["figures"][0]["paper"]["f1"] == 49.2
    assert paper("breakdown", Figures("model", "date", 1, 0.0, 0.0)) is None


def test_scores_say_what_the_model_saw() -> None:
    real, generated = {"generated": 0, "real": 10}, {"generated": 10, "real": 0}
    (line,) = notes({"generated": 5000, "real": 7600}, real)
    assert (
        line == "Trained on a set of 5,000 generated and 7,600 real questions; the paper's model saw 77,409 real ones."
    )
    assert "no scores of DROP" in notes({"generated": 5000, "real": 0}, generated)[1]
