import io
import sys

import pytest

from numprobe.experiments import Cell, Event
from numprobe.files.reading import tell
from numprobe.progress import FileProgress, RunProgress, counted
from tests.conftest import make_result


class Screen(io.StringIO):
    """What a terminal shows."""

    def isatty(self) -> bool:
        return True


def cells() -> list[Cell]:
    return [Cell.make("value", "decoding", f"0:{last}", "words", "linear", seeds=1) for last in (20, 30, 40)]


def listen(progress: RunProgress) -> None:
    found, done, failed = cells()
    progress.listen(Event("found", found, make_result()))
    progress.listen(Event("start", done))
    progress.listen(Event("start", done))  # its worker died, and it runs again
    progress.listen(Event("done", done, make_result()))
    progress.listen(Event("start", failed))
    progress.listen(Event("failed", failed, error="no memory"))


def test_plain_lines_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    with RunProgress(cells()) as progress:
        listen(progress)
    assert (progress.done, progress.total) == (2, 3)
    assert progress.failed == [(cells()[2], "no memory")]
    assert capsys.readouterr().err == "[2/3] value, decoding, [0,30] in words, linear: rmse 0.75 ± 0.40 (0 s)\n"


def test_bars_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TERM", "NO_COLOR", "TTY_COMPATIBLE", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with RunProgress(cells()) as progress:
        progress.listen(Event("found", cells()[0], make_result()))
        progress.listen(Event("start", cells()[1]))
        tell("downloading weights", 5_000_000, 20_000_000)
        progress.refresh()
    shown = screen.getvalue()
    assert "1 of 3 done, estimating the time left" in shown
    assert "value, decoding, [0,30] in words" in shown
    assert "downloading weights" in shown
    assert "25 %" in shown


def test_plain_lines_of_counted_items(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(counted(range(40), "questions", 40)) == list(range(40))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("questions: 4 of 40, about ")
    assert lines[-1] == "questions: 40 of 40, about 0 s left"
    assert list(counted([], "questions", 0)) == []


def test_only_large_files_are_worth_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with FileProgress():
        for done in (1, 2):
            tell("small", done, 1000)
            tell("large", done, 20_000_000)
            tell("unknown", done, 0)
    tell("afterwards", 1, 20_000_000)
    assert capsys.readouterr().err == "large\n"
