import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from numprobe.errors import NumprobeError
from numprobe.files import writing
from numprobe.files.writing import claim, drafted, sweep, write_whole

HOLD = """import sys, time
from pathlib import Path
from numprobe.files.writing import claim
draft = claim(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def hold(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds the draft of a file."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_one_process_at_a_time_makes_a_file_and_takes_over_from_a_killed_one(tmp_path: Path) -> None:
    path = tmp_path / "made"
    other = hold(path)
    assert claim(path) is None
    sweep(tmp_path)
    left = tmp_path / ".made.partial"
    assert left.exists()
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert left.exists()
    write_whole(path, "whole")
    assert path.read_text() == "whole"
    assert os.listdir(tmp_path) == ["made"]


def test_sweep_removes_what_killed_processes_left_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".first.partial").write_text("half of")
    (tmp_path / ".foreign").write_text("")
    sweep(tmp_path)
    assert os.listdir(tmp_path) == [".foreign"]
    sweep(tmp_path / "missing")


def test_a_waiting_writer_continues_after_a_file_is_published_or_discarded(tmp_path: Path) -> None:
    path = tmp_path / "made"
    first, second = claim(path), threading.Thread(target=write_whole, args=(path, "second"))
    assert first is not None
    second.start()
    first.publish("first")
    second.join(10)
    assert path.read_text() == "second"
    third, fourth = claim(path), threading.Thread(target=write_whole, args=(path, "fourth"))
    assert third is not None
    fourth.start()
    third.discard()
    fourth.join(10)
    assert path.read_text() == "fourth"
    assert os.listdir(tmp_path) == ["made"]


def test_many_writers_of_one_file_leave_one_whole_file(tmp_path: Path) -> None:
    texts = [str(number) * 100_000 for number in range(8)]
    writers = [threading.Thread(target=write_whole, args=(tmp_path / "made", text)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert (tmp_path / "made").read_text() in texts
    assert os.listdir(tmp_path) == ["made"]


def test_without_locks_each_process_uses_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(writing.fcntl, "flock", no_locks)
    draft = claim(tmp_path / "made")
    assert draft is not None
    assert str(os.getpid()) in draft.made.name
    draft.publish("whole")
    write_whole(tmp_path / "made", "again")
    assert (tmp_path / "made").read_text() == "again"


def test_write_errors_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NumprobeError, match=r"^can't write .*file.made: .+$"):
        write_whole(tmp_path / "file" / "made", "")
    with pytest.raises(NumprobeError, match="No space left on device"), drafted(tmp_path / "made"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert os.listdir(tmp_path) == ["file"]
