"""A chat service reads passages: each question is asked once, and a failure is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from numprobe.cli import main
from tests.embedders.test_endpoint import Server, failing, server, told

__all__ = ["server"]


def said(question: Any) -> dict[str, Any]:
    text = question["messages"][-1]["content"] if "messages" in question else question["prompt"]
    assert text.startswith("Passage:") or "messages" not in question
    assert text.endswith("\nAnswer:")
    return {"choices": [{"message": {"content": "seven"}, "text": " seven\nQuestion"}]}


@pytest.mark.parametrize("style", ["chat", "text"])
def test_predictions_of_a_service(server: Server, tmp_path: Path, style: str) -> None:
    server.script = [told(said)]
    name = f"endpoint:url={server.url},model=m,style={style}"
    command = ["drop", "predict", "--model", name, "--most", "12", "--out", str(tmp_path / "predictions.json")]
    assert main(command) == 0
    predictions = json.loads((tmp_path / "predictions.json").read_text())
    assert set(predictions.values()) == {"seven"}
    assert len(predictions) == 12
    asked = len(server.questions)
    assert asked <= 12
    assert main(command) == 0
    assert len(server.questions) == asked


def test_a_service_that_fails(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = [failing(404, b"no such model")]
    name = f"endpoint:url={server.url},model=m"
    assert main(["drop", "stress", "--model", name, "--most", "3"]) == 2
    error = capsys.readouterr().err
    assert "404: no such model" in error
    assert main(["drop", "predict", "--model", f"{name},style=shout", "--out", str(tmp_path / "p.json")]) == 2
    assert "unknown style 'shout'" in capsys.readouterr().err
