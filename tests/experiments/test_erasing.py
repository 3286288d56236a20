"""Erasing inside a prompt: only the numbers' states change, and nothing linear of the concept is left there."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from numprobe.cli import main
from numprobe.embedders.speech import Dialogue
from numprobe.experiments import Cell
from numprobe.experiments.erasing import CONCEPTS, concept, erasures
from numprobe.probes.replies import with_places
from tests.embedders.test_speech import save_writer, speaker


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_writer(tmp_path_factory.mktemp("writer"))


def test_only_the_marked_states_change(folder: str) -> None:
    writer = speaker(folder)
    asked = [with_places("{first} + {second} =", words) for words in (["3", "17"], ["250", "4"], ["61", "88"])]
    located = [writer.located(Dialogue(text), spans) for text, spans in asked]
    prompts, places = [ids for ids, _ in located], [[at for own in spans for at in own] for _, spans in located]
    assert [len(own) for own in places] == [3, 4, 4]
    plain = {
        one.question: reply.text
        for some in writer.say([Dialogue(text) for text, _ in asked])
        for one, reply in some.items()
    }
    assert writer.changed(prompts, places, 1, lambda given: given) == [plain[text] for text, _ in asked]
    # With other digits' embeddings in their places, the model reads another question.
    seven = writer.model.get_input_embeddings().weight[7].detach().double()
    changed = writer.changed(prompts, places, 0, lambda given: seven.expand(len(given), -1))
    others = [Dialogue(text) for text in ("7 + 77 =", "777 + 7 =", "77 + 77 =")]
    expected = next(writer.say(others))
    assert changed == [expected[other].text for other in others]


def test_concepts() -> None:
    values = np.array([0.0, 7.0, 75.0])
    assert concept("value", values).tolist() == [[0], [7], [75]]
    assert concept("logarithm", values)[1, 0] == 3
    assert concept("digits", values).reshape(3, 2, 10).argmax(axis=2).tolist() == [[0, 0], [7, 0], [5, 7]]


def test_nothing_is_left_of_what_was_erased(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    cell = Cell.make(
        f"transformer:model={folder}", "addition", "0:99", probe="prompt:most_items=10,phrasing=1", seeds=1
    )
    found = erasures(cell, layer=1, train=60)
    assert [one.concept for one in found.each] == list(CONCEPTS)
    for one in found.each:
        assert one.correlation < 1e-9
        assert 0 <= one.moved <= 1
    value, logarithm, digits = found.each
    assert (value.rank, logarithm.rank) == (1, 1)
    assert digits.rank > 9
    assert value.determination <= 0.05
    assert value.determination < found.determination


def test_the_command(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    command = [
        "erase",
        f"transformer:model={folder}",
        "--range",
        "0:60",
        "--prompt",
        "prompt:most_items=5",
        "--train",
        "30",
    ]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["concept"] for one in document["erased"]] == list(CONCEPTS)
    assert main(command) == 0
    assert "without digits" in capsys.readouterr().out
    assert main([*command, "--layer", "9"]) == 2
    assert "has layers 0 to 1 that can be changed, and no layer 9" in capsys.readouterr().err
    assert main(["erase", "endpoint:url=http://127.0.0.1:9,model=m"]) == 2
    assert "does not let its states be changed" in capsys.readouterr().err
    assert torch.is_grad_enabled()
