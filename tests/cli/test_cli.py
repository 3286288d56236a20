import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from numprobe.cli import main, probe
from numprobe.cli._options import Options
from numprobe.embedders.strings import STRINGS
from numprobe.experiments import Cell, load_suite
from numprobe.experiments.archive import pack_results
from numprobe.experiments.floors import floors
from tests.conftest import result_of

QUICK = ["probe", "--alone", "--embedder", "value", "--range", "0:40", "--probe", "linear", "--seeds", "2"]
SUITE = 'probe = "linear"\nseeds = 2\n[[cells]]\nembedder = ["value", "random"]\ntask = "decoding"\nrange = "0:40"\n'


@pytest.fixture(autouse=True)
def in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NUMPROBE_STORE", raising=False)


def test_probe_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["cell"]["embedder"] == "value"
    assert first["mean"] == pytest.approx(sum(first["scores"]) / 2)
    assert first["coverage"] == {"covered": 41, "asked": 41}
    assert {"std", "settings", "made"} <= set(first)
    assert main([*QUICK, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first  # found, not computed again


def test_negative_ranges_need_no_quoting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--alone", "--embedder", "value", "--range", "-50:50", "--probe", "linear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cell"]["range"] == "-50:50"


def test_run_show_and_ls(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine.toml").write_text(SUITE)
    monkeypatch.setenv("NUMPROBE_STORE", "elsewhere")
    assert main(["run", "mine.toml", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert "value" in out
    assert "[2/2]" in err
    assert main(["run", "mine.toml", "--embedder", "value", "--json"]) == 0
    assert [entry["cell"]["embedder"] for entry in json.loads(capsys.readouterr().out)] == ["value"]
    assert main(["show", "--format", "csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 3
    assert main(["show", "mine.toml", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2
    assert main(["ls", "results"]) == 0
    assert "rmse" in capsys.readouterr().out
    assert main(["ls", "--json"]) == 0
    lists = json.loads(capsys.readouterr().out)
    assert {"demo", "padding", "baselines"} <= set(lists["suites"])
    assert "sampler=released" in lists["tasks"]["list-maximum"]
    assert len(list(Path("elsewhere").glob("*.json"))) == 2


def test_validate_lists_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "demo"]) == 0
    assert "9 cells, about " in capsys.readouterr().out
    assert main(["validate", "demo", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["cells"]) == 9
    assert told["seconds"] == round(sum(cell["seconds"] for cell in told["cells"]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prob"], "unknown command 'prob'; did you mean 'probe'?"),
        (["run", "demmo"], "unknown suite 'demmo'; did you mean 'demo'?"),
        (["run", "demo", "--embedder", "randm"], "did you mean 'random'?"),
        (["probe"], "the following arguments are required: --embedder"),
        (["probe", "--embedder", "valu"], "unknown embedder 'valu'; did you mean 'value'?"),
        (["probe", "--embedder", "value", "--task", "adition"], "did you mean 'addition'?"),
        (["probe", "--embedder", "value", "--range", "99:0"], "reversed"),
        (["probe", "--embedder", "value", "--range", "0:1"], "too small to split"),
        (["probe", "--embedder", "value", "--range", "0.0:9.9", "--form", "words"], "use form 'floats'"),
        (["probe", "--embedder", "value", "--seeds", "x"], "invalid int value: 'x'"),
        ([*QUICK, "--store", "/dev/null/store"], "can't write to the result store"),
        ([*QUICK, "--mode", "never"], "1 of 1 cells are not in numprobe-results"),
        ([*QUICK, "--device", "abacus"], "device 'abacus' can't be used"),
        (["show"], "numprobe-results holds no results yet"),
        (["ls", "task"], "did you mean 'tasks'?"),
        (["validate", "none.toml"], "can't read suite none.toml: No such file"),
    ],
)
def test_mistakes_end_in_one_line_and_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(str(stop.code))
    out, err = capsys.readouterr()
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_damaged_result_is_named_and_computed_again(capsys: pytest.CaptureFixture[str]) -> None:
    main([*QUICK, "--json"])
    whole = json.loads(capsys.readouterr().out)
    (path,) = Path("numprobe-results").glob("*.json")
    path.write_text(path.read_text()[:100])
    command = [sys.executable, "-m", "numprobe", *QUICK, "--json"]
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert path.name in again.stderr
    assert json.loads(again.stdout)["scores"] == whole["scores"]


def test_help_and_version_import_nothing_heavy(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--help", "--version"):
        command = [sys.executable, "-X", "importtime", "-m", "numprobe", option]
        shown = subprocess.run(command, capture_output=True, text=True, check=True)
        modules = {line.rsplit("|")[-1].strip() for line in shown.stderr.splitlines()}
        assert not modules & {"torch", "numpy", "pandas", "scipy", "rich", "joblib"}
        assert "numprobe" in shown.stdout
    assert main([]) == 0
    assert "examples:" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["ls", "cache", "validate demo", "show linear --published"])
def test_commands_that_train_nothing_do_not_import_torch(command: str) -> None:
    code = "import sys; from numprobe.cli import main; main(sys.argv[1:]); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code, *command.split()], stdout=subprocess.DEVNULL).returncode == 0


LONG = """task = "decoding"
[[cells]]
embedder = "value"
probe = "linear"
range = "0:40"
[[cells]]
embedder = ["char-lstm", "char-cnn"]
range = "0:9999"
"""


def workers(pid: int) -> list[int]:
    """The worker processes of a run."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "LokyProcess" in line]


@pytest.fixture
def long_run() -> Iterator[subprocess.Popen[str]]:
    """A run of three cells with two workers at work; one cell was done before."""
    Path("long.toml").write_text(LONG)
    assert main(["run", "long.toml", "--embedder", "value", "--workers", "1"]) == 0
    command = [sys.executable, "-m", "numprobe", "run", "long.toml", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(600):
        if len(workers(process.pid)) >= 2:
            break
        time.sleep(0.1)
    time.sleep(2)
    yield process
    process.kill()


def test_interrupted_work_is_kept_and_the_way_on_is_told(long_run: subprocess.Popen[str]) -> None:
    os.killpg(long_run.pid, signal.SIGINT)
    _, err = long_run.communicate(timeout=60)
    assert long_run.returncode == 130
    assert "stopped. 1 of 3 cells are done and kept in numprobe-results" in err
    assert "to go on: numprobe run long.toml --workers 2" in err
    assert "Traceback" not in err
    assert [path.suffix for path in Path("numprobe-results").iterdir()] == [".json"]


def test_a_cell_whose_worker_dies_runs_again_and_the_others_go_on(long_run: subprocess.Popen[str]) -> None:
    killed, other = workers(long_run.pid)
    os.kill(killed, signal.SIGKILL)
    for _ in range(600):
        if len(now := workers(long_run.pid)) == 2 and killed not in now:
            break
        time.sleep(0.1)
    assert other in now
    os.killpg(long_run.pid, signal.SIGINT)
    _, err = long_run.communicate(timeout=60)
    assert err.count("died; the cell will run once more") == 1
    assert "1 of 3 cells are done" in err
    assert "Traceback" not in err


def test_string_baselines_that_come_with_numprobe_are_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled = [own for own in load_suite("floors").cells if own.range == "0:99" and own.task == "decoding"]
    (tmp_path / "bundle").write_bytes(pack_results(map(result_of, bundled)))
    monkeypatch.setattr("numprobe.experiments.archive.FILE", tmp_path / "bundle")
    asked: list[Cell] = []
    monkeypatch.setattr(probe, "run_cells", lambda cells, options: (asked.extend(cells), ([], 0))[1])
    cell = Cell.make("value", "decoding", "0:99")
    known = probe.run_floors([cell], Options(mode="only-missing"))
    assert [result.cell for result in known] == [floor for floor in floors(cell) if floor.embedder in STRINGS]
    assert [own.embedder for own in asked] == ["shuffled:of=value", "gaussian:of=value"]
    assert probe.run_floors([cell], Options(mode="always")) == []
    assert asked[2:] == floors(cell)
