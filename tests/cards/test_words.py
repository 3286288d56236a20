"""The section of a card about what a language model says."""

from pathlib import Path

import pytest

from numprobe import probe
from numprobe.cards import read_card
from numprobe.cards.card import sections_for
from numprobe.cards.words import InWords
from numprobe.embedders.transformer import Transformer
from numprobe.experiments import Cell, Result
from tests.embedders.test_speech import save_writer


def test_a_language_model_is_asked_and_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path / "cache"))
    model = Transformer(save_writer(tmp_path))
    assert "words" in {section.name for section in sections_for(model)}
    for other in ("random", "glove-6b-50d", "endpoint:url=http://127.0.0.1:9,model=m"):
        assert "words" not in {section.name for section in sections_for(other)}
    (cell,) = InWords().cells(model, "tiny", quick=True)
    (result,) = probe(model, cell.task, cell.range, probe=cell.probe, seeds=cell.seeds)

    def load(asked: Cell) -> Result | None:
        return result if asked.probe == cell.probe else None

    (line,) = read_card(model, "tiny", True, load).parts["words"].lines
    assert line.startswith("addition on [0,99]: 0 % (0 % to 0 %) right; 0 % to 0 % in")
    assert "5 phrasings" in line
    assert "are not a number; the right answer is the likeliest" in line
