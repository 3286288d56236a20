import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from numprobe.drop.changes import load_change
from numprobe.drop.data import GoldAnswer, Passage, Question, count_questions
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.metric import Score, score_predictions
from numprobe.drop.naqanet.files import CHECKPOINT, MODEL, load_reader, read_tensors
from numprobe.drop.naqanet.learner import Bounds, TrainingRecipe
from numprobe.drop.naqanet.model import ANSWER_HEADS, Sizes
from numprobe.drop.naqanet.reading import to_learn
from numprobe.drop.naqanet.training import Training, TrainingReport, TrainingState
from numprobe.errors import NumprobeError
from tests.drop.naqanet.conftest import TINY

RECIPE = TrainingRecipe(rate=3e-3, characters_seen=1, together=8, decay=0.9)
DROPPING = replace(TINY, dropout=0.1, skipped=0.1)


def training(
    passages: tuple[Passage, ...], folder: Path, recipe: TrainingRecipe = RECIPE, sizes: Sizes = DROPPING
) -> Training:
    return Training(passages, passages[:2], folder, sizes, recipe, "", torch.device("cpu"))


def answerable(passages: tuple[Passage, ...], count: int) -> tuple[Passage, ...]:
    """The first questions that one span or a number can answer completely."""
    labelled = {question.id for reading in to_learn(passages) for question in reading.questions}
    kept: list[Passage] = []
    for passage in passages:
        asked = [q for q in passage.questions if q.id in labelled and len(q.answer.spans) < 2]
        kept.append(replace(passage, questions=tuple(asked[: count - sum(len(p.questions) for p in kept)])))
    return tuple(passage for passage in kept if passage.questions)


def learn_by_heart(passages: tuple[Passage, ...], folder: Path, steps: int) -> Score:
    """Train on a few questions and return the score on the same questions."""
    recipe = replace(RECIPE, questions=32, together=16, between=20)
    Training(passages, passages, folder, TINY, recipe, "", torch.device("cpu")).run(
        Bounds(steps=steps, passes=1000), lambda progress: None
    )
    return score_predictions(load_reader(folder).answer_passages(passages), passages)["all"]


@pytest.fixture(scope="module")
def overfitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Passage, ...], Score]:
    """A model trained on 32 questions, its passages and its score."""
    folder = tmp_path_factory.mktemp("overfitted")
    passages = answerable(tuple(generate(GeneratorSettings(passages=4, facts=6, distractors=0))), 32)
    return folder, passages, learn_by_heart(passages, folder, steps=80)


def test_it_learns_32_questions_by_heart(overfitted: tuple[Path, tuple[Passage, ...], Score]) -> None:
    folder, passages, reached = overfitted
    assert reached.count == 32
    assert reached.f1 is not None
    assert reached.f1 >= 95
    reader = load_reader(folder)
    asked = [(passage.text, question.text) for passage in passages for question in passage.questions]
    assert len({reader.answer_question(*texts).prediction.type for texts in asked}) >= 3
    assert read_tensors(folder / MODEL)[1]["scores"]["f1"] == pytest.approx(reached.f1)


def test_it_learns_32_real_questions_by_heart(real_passages: tuple[Passage, ...], tmp_path: Path) -> None:
    shortest = sorted(real_passages, key=lambda passage: len(passage.text))[:20]
    reached = learn_by_heart(answerable(tuple(shortest), 32), tmp_path, steps=80)
    assert reached.count == 32
    assert reached.f1 is not None
    assert reached.f1 >= 95


def test_wide_numbers_can_be_learned(tmp_path: Path) -> None:
    text = "In the city, 23.4% were German, 31.5% Irish and Twenty percent Polish."
    answers = {"German": "76.6", "Irish": "68.5", "Polish": "80"}
    asked = [Question(name, f"How many percent were not {name}?", GoldAnswer(number=answers[name])) for name in answers]
    passages = (Passage("p", text, tuple(asked)),)
    recipe = replace(RECIPE, questions=3, between=10)
    made = Training(passages, passages, tmp_path, replace(TINY, wide=True), recipe, "", torch.device("cpu"))
    made.run(Bounds(steps=60, passes=60), lambda progress: None)
    assert load_reader(tmp_path).answer_passages(passages) == answers


def test_mixed_questions_have_their_share_and_change_from_pass_to_pass(
    generated: tuple[Passage, ...], tmp_path: Path
) -> None:
    recipe = replace(RECIPE, mixed=0.25)
    made = Training(generated[:3], generated[:1], tmp_path, TINY, recipe, "", torch.device("cpu"), None, generated[3:])
    own = {question.id for reading in made.readings for question in reading.questions}
    passes = []
    for made.state.passes in (0, 1, 2):
        shown = {question.id for batch in made._order() for reading in batch for question in reading.questions}
        assert own < shown
        assert 0.2 < len(shown - own) / len(shown) < 0.45, "whole passages are mixed in, here one or two"
        passes.append(shown - own)
    assert passes[0] != passes[1] or passes[1] != passes[2]
    assert made.about["seen"]["generated"] == count_questions(generated)


def test_a_start_with_fewer_words_answers_the_same(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    training(generated, tmp_path / "first").run(Bounds(steps=2), lambda progress: None)
    (tmp_path / "vectors.txt").write_text("the 1 2\nof 3 4\n")
    first, words = load_reader(tmp_path / "first"), f"word-vectors:path={tmp_path / 'vectors.txt'}"
    cpu = torch.device("cpu")
    made = Training(generated, generated[:1], tmp_path / "second", DROPPING, RECIPE, words, cpu, first)
    assert made.reader.words.width == 2
    assert made.reader.answer_passages(generated) == first.answer_passages(generated)


def test_answers_quote_the_unchanged_text(generated: tuple[Passage, ...]) -> None:
    reader = load_reader()
    plain = reader.answer_passages(generated)
    changed = reader.answer_passages(generated, load_change("multiply:low=90,high=100"))
    assert plain.keys() == changed.keys()
    assert plain != changed
    for passage in generated:
        for question in passage.questions:
            text = changed[question.id]
            assert text.lstrip("-").replace(".", "", 1).isdigit() or text in passage.text or text in question.text


def test_an_explained_answer_shows_the_attention(overfitted: tuple[Path, tuple[Passage, ...], Score]) -> None:
    folder, passages, _ = overfitted
    reader, passage = load_reader(folder), passages[0]
    found = reader.answer_question(passage.text, passage.questions[0].text)
    assert found.prediction.text == reader.answer_passages(passages)[passage.questions[0].id]
    assert found.prediction.type in ANSWER_HEADS
    assert sum(weight for _, weight in found.passage) == pytest.approx(1, abs=1e-4)
    assert sum(weight for _, weight in found.question) == pytest.approx(1, abs=1e-4)
    if found.prediction.terms:
        assert found.prediction.text == str(sum(found.prediction.terms))
    with pytest.raises(NumprobeError, match="the question is empty"):
        reader.answer_question(passage.text, " ")
    assert reader.answer_question("Nobody came.", "Who came?").prediction.text


def stop_at(step: int) -> Callable[[TrainingReport], None]:
    def listen(progress: TrainingReport) -> None:
        if progress.state.step == step:
            raise KeyboardInterrupt

    return listen


def test_an_interrupted_training_resumes_to_the_same_bits(
    generated: tuple[Passage, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numprobe.drop.naqanet.training.REPORT_SECONDS", 0)
    bounds = Bounds(steps=7)  # a pass has four steps or so, so this ends within the second
    training(generated, tmp_path / "whole").run(bounds, stop_at(-1))
    for step in (2, 5):
        with pytest.raises(KeyboardInterrupt):
            training(generated, tmp_path / "parts").run(bounds, stop_at(step), checkpoint_seconds=0)
        # What comes from elsewhere must not matter, nor what was done after the last checkpoint.
        torch.rand(3)
    resumed = training(generated, tmp_path / "parts")
    assert resumed.state.step == 4
    resumed.run(bounds, stop_at(-1))

    (whole, about), (parts, again) = (read_tensors(tmp_path / name / CHECKPOINT) for name in ("whole", "parts"))
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)
    assert any(name.startswith("optimiser") for name in whole)
    assert about["state"]["scores"] == again["state"]["scores"]
    assert (tmp_path / "whole" / MODEL).read_bytes() == (tmp_path / "parts" / MODEL).read_bytes()


def test_seeds_matter_and_global_random_numbers_are_untouched(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    state = torch.get_rng_state()
    losses = []
    for seed in (0, 0, 1):
        made = training(generated, tmp_path / "none", replace(RECIPE, seed=seed))
        losses.append(float(made._step(made._order()[0], is_last=False)))
    assert losses[0] == losses[1] != losses[2]
    assert torch.equal(torch.get_rng_state(), state)


def test_a_folder_refuses_a_different_training(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    training(generated, tmp_path).run(Bounds(steps=1), lambda progress: None)
    assert json.loads((tmp_path / "training.json").read_text())["state"]["step"] == 1
    with pytest.raises(NumprobeError, match="training with different recipe"):
        training(generated, tmp_path, replace(RECIPE, augment=True))
    with pytest.raises(NumprobeError, match="training with different data"):
        training(generated[:-1], tmp_path)
    with pytest.raises(NumprobeError, match="training with different sizes"):
        training(generated, tmp_path, sizes=TINY)
    (tmp_path / CHECKPOINT).write_bytes(b"broken")
    with pytest.raises(NumprobeError, match="can't read"):
        training(generated, tmp_path)
    with pytest.raises(NumprobeError, match="holds no trained NAQANet"):
        load_reader(tmp_path / "elsewhere")


def test_training_without_questions_is_refused(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    with pytest.raises(NumprobeError, match="no question to train with"):
        training((replace(generated[0], questions=()),), tmp_path)


@pytest.mark.parametrize(
    ("state", "bounds", "ended"),
    [
        (TrainingState(step=5), Bounds(steps=5), True),
        (TrainingState(step=5), Bounds(steps=6), False),
        (TrainingState(seconds=61), Bounds(minutes=1), True),
        (TrainingState(passes=2), Bounds(passes=2), True),
        (TrainingState(scores=[{"f1": f1} for f1 in (1.0, 3.0, 3.0, 2.0)]), Bounds(patience=2), True),
        (TrainingState(scores=[{"f1": f1} for f1 in (1.0, 3.0, 3.0, 2.0)]), Bounds(patience=3), False),
    ],
)
def test_bounds(state: TrainingState, bounds: Bounds, ended: bool) -> None:
    assert state.has_ended(bounds) is ended


def test_bad_settings() -> None:
    with pytest.raises(NumprobeError, match="minutes must be more than 0"):
        Bounds(minutes=0)
    with pytest.raises(NumprobeError, match="steps must be at least 1"):
        Bounds(steps=0)
    with pytest.raises(NumprobeError, match="questions must be at least 1"):
        TrainingRecipe(questions=0)
    with pytest.raises(NumprobeError, match="rate must be more than 0"):
        TrainingRecipe(rate=0)
    with pytest.raises(NumprobeError, match="dropout must be at least 0 and less than 1"):
        Sizes(dropout=1.5)
    with pytest.raises(NumprobeError, match="width 12 must be a multiple of 2 × 8"):
        Sizes(width=12)


def test_a_training_can_start_from_another_model(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    training(generated, tmp_path / "first").run(Bounds(steps=2), lambda progress: None)
    first = load_reader(tmp_path / "first")
    made = Training(
        generated[:4], generated[:2], tmp_path / "second", DROPPING, RECIPE, "", torch.device("cpu"), start=first
    )
    assert made.reader.alphabet == first.alphabet
    for name, weight in made.learner.network.state_dict().items():
        assert torch.equal(weight, first.network.state_dict()[name])
    made.run(Bounds(steps=1), lambda progress: None)
    second = load_reader(tmp_path / "second").about
    assert second["seen"] == {"generated": count_questions(generated) + count_questions(generated[:4]), "real": 0}
    assert second["start"]["scores"] == first.about["scores"]
    again = Training(
        generated, generated[:2], tmp_path / "third", DROPPING, RECIPE, "", torch.device("cpu"), start=first
    )
    assert again.about["seen"] == first.about["seen"], "the same questions count once"
    with pytest.raises(NumprobeError, match="holds a training with different"):
        training(generated[:4], tmp_path / "second")
