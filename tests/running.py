"""Runs of the command line in processes of their own, and what they leave behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

VECTORS = "vectors.txt"


def write_suite(folder: Path, ranges: int) -> Path:
    """A suite of four small cells for each of some ranges, vectors of one cached, and of one probe that is trained."""
    lines = (f"{number} {number % 10}.5 {number // 10}.25 {number % 7}.0" for number in range(100))
    (folder / VECTORS).write_text("".join(f"{line}\n" for line in lines))
    suite = folder / "small.toml"
    numbers = json.dumps([f"0:{60 + number}" for number in range(ranges)])
    vectors = f"word-vectors:path={folder / VECTORS}"
    suite.write_text(f"""task = "decoding"
[[cells]]
embedder = ["value", "random", "untrained-lstm", "{vectors}"]
probe = "linear"
range = {numbers}
[[cells]]
embedder = "random:dimension=4"
probe = "mlp:most_steps=500"
seeds = 1
range = "0:20"
""")
    return suite


def start(
    suite: Path, store: Path, *options: str, cache: Path | None = None, **variables: str
) -> subprocess.Popen[str]:
    """A run, in a process group of its own."""
    environment = {**os.environ, "NUMPROBE_CACHE": str(cache or store.with_name("cache")), **variables}
    command = [sys.executable, "-m", "numprobe", "run", str(suite), "--store", str(store), *options]
    return subprocess.Popen(
        command,
        cwd=suite.parent,  # where a suite may name files
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str], code: int = 0) -> str:
    """What a run said until it ended."""
    _, said = process.communicate(timeout=300)
    assert process.returncode == code, said
    assert "Traceback" not in said, said
    return said


def cells_run(said: str) -> int:
    """How many cells a run says that it ran itself."""
    return sum(line.startswith("[") for line in said.splitlines())


def kept(store: Path) -> dict[str, str]:
    """The text of every result but for `made`, which tells of the run."""
    found = {}
    for path in store.glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        assert result.pop("made")
        found[path.name] = json.dumps(result)
    return found


def strays(*folders: Path) -> list[Path]:
    """What is neither a result nor a table of vectors."""
    return [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and (path.name.startswith(".") or path.suffix not in (".json", ".safetensors"))
    ]
