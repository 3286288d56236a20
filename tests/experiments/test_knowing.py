"""What a model knows: states inside its prompt, a linear probe with a planted signal, and what it says beside it."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from numprobe import NumprobeError
from numprobe.cli import main
from numprobe.embedders.speech import Dialogue
from numprobe.embedders.speech.local import LocalSpeaker
from numprobe.experiments import Cell
from numprobe.experiments.knowing import READINGS, known_and_said
from numprobe.probes.engine.least_squares import regress
from numprobe.probes.linear import PENALTIES
from numprobe.probes.replies import with_places
from tests.embedders.test_speech import CHAT, save_writer, speaker


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_writer(tmp_path_factory.mktemp("writer"), CHAT)


@pytest.mark.parametrize("style", ["text", "chat"])
def test_states_are_read_at_the_last_piece_of_each_number_and_at_the_end(folder: str, style: str) -> None:
    writer = speaker(folder, style)
    text, spans = with_places("{first} + {second} =", ["12", "345"])
    dialogue = Dialogue(text, (("1 + 2 =", "3"),))
    found = writer.states([Dialogue("7 + 7 ="), dialogue], [[(0, 1), (4, 5)], spans])
    ids = writer.ids(dialogue)
    with torch.inference_mode():
        expected = torch.stack(writer.model(torch.tensor([ids]), output_hidden_states=True).hidden_states)[:, 0]
    written = writer.tokenizer.convert_ids_to_tokens(ids)
    places = [len(ids) - 1 - written[::-1].index(digit) for digit in "25"]
    np.testing.assert_allclose(found[:, 1], expected[:, [*places, len(ids) - 1]], atol=1e-4)


@pytest.mark.parametrize("dimension", [5, 200])
def test_a_planted_value_is_found_and_a_shuffled_one_is_not(dimension: int) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 100, 120).astype(float)
    states = np.outer(values, rng.normal(size=dimension)) + 0.1 * rng.normal(size=(120, dimension))
    parts = slice(0, 70), slice(70, 90), slice(90, 120)

    def exact(targets: np.ndarray) -> float:
        learn, judge, test = parts
        answers, _ = regress(states[learn], targets[learn], states[judge], targets[judge], [states[test]], PENALTIES)
        return float(np.mean(np.rint(answers[0]) == targets[test]))

    assert exact(values) > 0.9
    assert exact(rng.permutation(values)) < 0.2


@pytest.mark.parametrize("task", ["addition", "list-maximum", "decoding", "ordering:rank=2"])
def test_a_whole_run(folder: str, task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    cell = Cell.make(f"transformer:model={folder}", task, "0:80", probe="prompt:most_items=10,phrasing=2", seeds=2)
    found = known_and_said(cell, train=40, development=10)
    assert found.numbers.shape == (20, cell.parts.task.arity)
    assert found.says.shape == (20,)
    assert all(found.knows[name].shape == (3, 20) for name in READINGS)
    assert all(len(found.layers[name]) == 2 for name in READINGS)


def test_what_is_planted_in_the_states_is_known_in_the_tasks_own_sense(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value is planted after layer 1 and nowhere else, so that layer is chosen and every answer is right."""
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    rng = np.random.default_rng(0)

    def planted(self: LocalSpeaker, dialogues: list[Dialogue], spans: list[list[tuple[int, int]]]) -> np.ndarray:
        found = rng.normal(size=(3, len(dialogues), len(spans[0]) + 1, 20))
        for at, (dialogue, own) in enumerate(zip(dialogues, spans, strict=True)):
            for place, (start, end) in enumerate(own):
                found[1, at, place, 7] += 1000 * int(dialogue.question[start:end])
        return found

    monkeypatch.setattr(LocalSpeaker, "states", planted)
    for task in ("addition", "list-maximum", "ordering:rank=2", "comparison"):
        cell = Cell.make(f"transformer:model={folder}", task, "1:80", probe="prompt:most_items=10,phrasing=2", seeds=2)
        found = known_and_said(cell, train=60, development=20, first=3)
        assert found.layers["numbers"] == [1, 1]
        assert found.best["numbers"].all()
        assert found.best["end"].mean() < 0.8


def test_the_command(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    command = [
        "says",
        f"transformer:model={folder}",
        "--range",
        "0:40",
        "--prompt",
        "prompt:most_items=5",
        "--seeds",
        "1",
    ]
    assert main([*command, "--train", "30", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    table = document["tables"]["numbers"]
    parts = (table[name]["value"] for name in ("both", "only_knows", "only_says", "neither"))
    assert sum(parts) == pytest.approx(1)
    assert len(document["layers"]["end"]["knows"]) == 3
    assert main([*command, "--train", "30"]) == 0
    shown = capsys.readouterr().out
    assert "only knows" in shown
    assert "chosen by 1 of 1 shuffles" in shown
    assert len(document["phrasings"]) == 5
    assert main([*command[:1], "endpoint:url=http://127.0.0.1:9,model=m", *command[2:]]) == 2
    assert "does not show its states" in capsys.readouterr().err


def test_only_a_prompt_says_anything() -> None:
    with pytest.raises(NumprobeError, match="asked with probe 'prompt', not 'mlp'"):
        known_and_said(Cell.make("value", "addition", "0:40"))
