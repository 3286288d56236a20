"""Erasing inside a prompt: only the numbers' states change, and nothing linear of the concept is left there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from numprobe.cli import main
from numprobe.embedders.speech import Dialogue
from numprobe.embedders.speech.local import LocalSpeaker
from numprobe.experiments import Cell
from numprobe.experiments.erasing import CONCEPTS, concept, effects
from numprobe.experiments.inside import Prompts, Shuffle
from numprobe.probes.replies import with_places
from tests.embedders.test_speech import save_writer, speaker

ERASED = [f"erase {name}" for name in CONCEPTS]


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
    np.testing.assert_allclose(concept("units", values)[2], [-1, 0], atol=1e-12)


def cell_of(folder: str) -> Cell:
    probe = "prompt:most_items=10,phrasing=1"
    return Cell.make(f"transformer:model={folder}", "addition", "0:99", probe=probe, seeds=2)


def test_nothing_is_left_of_what_was_erased(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    found = effects(cell_of(folder), layer=1, train=60)
    assert [one.change for one in found.each] == [*ERASED, "turn units", "turn tens", "push value by 10"]
    assert len(found.right) == 20
    for one in found.each[:3]:
        assert one.correlation is not None
        assert one.correlation < 1e-9
    value, logarithm, digits, *_ = found.each
    assert (value.rank, logarithm.rank) == (1, 1)
    assert digits.rank > 9


class Planted:
    """A model whose states at a number hold its value and its digits on circles, and who adds what it reads there."""

    def __init__(self, reads: str) -> None:
        rng = np.random.default_rng(2)
        self.reads, self.mixing, self.noise = reads, rng.normal(size=(5, 24)), rng.normal(size=(200, 24))

    def states_of(self, speaker: LocalSpeaker, ids: list[int]) -> np.ndarray:
        """(pieces, dimension)"""
        text = "".join(piece[0] for piece in speaker.tokenizer.convert_ids_to_tokens(ids))
        found = np.zeros((len(ids), 24))
        for number in re.finditer(r"\d+", text):
            value = np.array([float(number[0])])
            features = np.concatenate([value[:, None] / 30, concept("units", value), concept("tens", value)], axis=1)
            found[number.start() : number.end()] = features @ self.mixing + 0.003 * self.noise[int(value[0])]
        return found

    def number(self, state: np.ndarray) -> int:
        value, *circles = state @ np.linalg.pinv(self.mixing)
        if self.reads == "value":
            return round(30 * value)
        units, tens = (
            round(np.arctan2(sine, cosine) / (2 * np.pi) * 10) % 10 for cosine, sine in (circles[:2], circles[2:])
        )
        return int(10 * tens + units)

    def changed(self, speaker: LocalSpeaker, ids: list[int], places: list[int], change: Any) -> str:
        states = self.states_of(speaker, ids)
        states[places] = change(torch.from_numpy(states[places])).numpy()
        inside = np.flatnonzero(np.abs(states).sum(axis=1))
        starts = [at for at in inside if at - 1 not in inside]
        return str(sum(self.number(states[at]) for at in starts))


@pytest.mark.parametrize("reads", ["digits", "value"])
def test_who_uses_a_digit_follows_when_it_is_turned_and_who_uses_the_value_when_it_is_pushed(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: str
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    planted = Planted(reads)

    def states(self: Shuffle, prompts: Prompts) -> Iterator[tuple[int, np.ndarray]]:
        for at, (ids, _) in enumerate(prompts):
            yield at, np.stack([planted.states_of(self.talk.speaker, ids)] * 3)

    def changed(self: LocalSpeaker, prompts: Any, places: Any, layer: int, change: Any) -> list[str]:
        return [planted.changed(self, ids, own, change) for ids, own in zip(prompts, places, strict=True)]

    monkeypatch.setattr(Shuffle, "states", states)
    monkeypatch.setattr(LocalSpeaker, "changed", changed)
    found = effects(cell_of(folder), layer=1, train=200)
    assert found.right.all()
    assert found.determination > 0.99
    erased = {one.change: one.determination for one in found.each}["erase value"]
    assert erased is not None
    assert erased <= 0.05
    effect = {
        one.change: {name: (own.mean(), random.mean()) for name, (own, random) in one.measured.items()}
        for one in found.each
    }
    used, unused = ("turn units", "push value by 10") if reads == "digits" else ("push value by 10", "turn units")
    own, random = effect[used]["follows"]
    assert own > 0.8 > 0.3 > random
    assert effect[unused]["follows"][0] < 0.3
    assert effect["erase digits" if reads == "digits" else "erase value"]["right"][0] < 0.3
    if reads == "value":
        assert effect["push value by 10"]["shift"][0] > 0.8


def test_the_command(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))
    settings = ["--range", "0:60", "--prompt", "prompt:most_items=5", "--train", "30", "--seeds", "1", "--first", "2"]
    command = ["erase", f"transformer:model={folder}", *settings]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["change"] for one in document["changes"][:3]] == ERASED
    assert "right_beyond_random" in document["changes"][0]
    assert all(0 <= one["changed"]["low"] <= one["changed"]["high"] <= 1 for one in document["changes"])
    assert "shift" in document["changes"][-1]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "erase digits" in shown
    assert "follows" in shown
    assert main([*command, "--layer", "9"]) == 2
    assert "has layers 0 to 1 that can be changed, and no layer 9" in capsys.readouterr().err
    assert main(["erase", "endpoint:url=http://127.0.0.1:9,model=m"]) == 2
    assert "does not show its states" in capsys.readouterr().err
    assert torch.is_grad_enabled()
