"""The real lm-evaluation-harness and the real MTEB read what numprobe exports (`make test-harness` installs them)."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from numprobe import probe
from numprobe.cli import main
from numprobe.embedders import load_embedder
from numprobe.embedders.sources import local_file

pytestmark = pytest.mark.slow
MODEL = "smollm2-135m"
PROMPT = "prompt:shots=2,most_items=8,phrasing=2"


def test_lm_eval_runs_the_tasks_and_gets_our_scores(tmp_path: Path) -> None:
    pytest.importorskip("lm_eval", reason="make test-harness installs it")
    asked = {"task": "addition", "numbers": "0:99"}
    assert (
        main(["export", "lm-eval", "--range", "0:99", "--prompt", PROMPT, "--seeds", "2", "--out", str(tmp_path)]) == 0
    )
    (task,) = tmp_path.glob("*.yaml")
    command = [sys.executable, "-m", "lm_eval"]
    chosen = ["--tasks", task.stem, "--include_path", str(tmp_path)]
    subprocess.run([*command, "validate", *chosen], check=True)
    gguf = load_embedder(MODEL).gguf
    folder = Path(local_file(f"package:{MODEL}/{gguf}")).parent
    weights = f"pretrained={folder},gguf_file={gguf},dtype=float32"
    out = ["--device", "cpu", "--batch_size", "8", "--output_path", str(tmp_path / "out")]
    subprocess.run([*command, "run", "--model", "hf", "--model_args", weights, *chosen, *out], check=True)
    (written,) = (tmp_path / "out").rglob("results*.json")
    theirs = json.loads(written.read_text())["results"][task.stem]["exact_match,strict"]
    (result,) = probe(f"{MODEL}:start=none", **asked, probe=PROMPT, seeds=2)  # the harness puts no start token first
    ours = float(np.mean([list(choice["right"].values()) for choice in result.choices]))
    print(f"lm-eval {theirs:.4f}, numprobe {ours:.4f}")
    assert theirs == pytest.approx(ours, abs=1e-9)


def test_mteb_loads_the_results(tmp_path: Path) -> None:
    pytest.importorskip("mteb", reason="make test-harness installs it")
    from mteb.results import TaskResult

    assert main(["export", "mteb", "integers", "--published", "--out", str(tmp_path)]) == 0
    paths = list(tmp_path.glob("*/*/Numprobe*.json"))
    assert len(paths) > 50
    for path in paths:
        document = json.loads(path.read_text())
        loaded = TaskResult.from_disk(path)
        assert loaded.task_name == document["task_name"]
        assert loaded.get_score() == pytest.approx(document["scores"]["test"][0]["main_score"])
