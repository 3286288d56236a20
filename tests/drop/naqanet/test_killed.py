"""Kill a training at a random moment and resume it."""

import random
import subprocess
import sys
import time
from pathlib import Path

import torch

from numprobe.drop.data import Passage
from numprobe.drop.formats import write_passages
from numprobe.drop.naqanet.files import CHECKPOINT, MODEL, read_tensors
from numprobe.drop.naqanet.learner import Bounds, TrainingRecipe
from numprobe.drop.naqanet.training import Training
from tests.drop.naqanet.conftest import TINY

STEPS = 80
TRAIN = """
import sys, torch
from pathlib import Path
from numprobe.drop.formats import read_passages
from tests.drop.naqanet.test_killed import trained
torch.set_num_threads(1)
trained(read_passages(sys.argv[1]), Path(sys.argv[2]))
"""


def trained(passages: tuple[Passage, ...], folder: Path) -> None:
    recipe = TrainingRecipe(rate=3e-3, characters_seen=1, questions=4, between=40)
    training = Training(passages, passages[:1], folder, TINY, recipe, "", torch.device("cpu"))
    training.run(Bounds(steps=STEPS, passes=STEPS, patience=STEPS), lambda progress: None, checkpoint_seconds=0)


def test_a_killed_training_resumes_to_the_same_bits(generated: tuple[Passage, ...], tmp_path: Path) -> None:
    write_passages(generated[:2], tmp_path / "data.json")
    killed = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", TRAIN, str(tmp_path / "data.json"), str(killed)])
    waited = time.monotonic() + 60
    while not (killed / CHECKPOINT).exists() and time.monotonic() < waited:
        time.sleep(0.01)
    time.sleep(random.random() / 2)
    process.kill()
    assert process.wait() == -9, "it ended before it was killed"
    assert 0 < read_tensors(killed / CHECKPOINT)[1]["state"]["step"] < STEPS

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for folder in (killed, tmp_path / "whole"):
            trained(generated[:2], folder)
    finally:
        torch.set_num_threads(threads)
    (whole, _), (again, about) = (read_tensors(tmp_path / name / CHECKPOINT) for name in ("whole", "killed"))
    assert about["state"]["step"] == STEPS
    assert all(torch.equal(whole[name], again[name]) for name in whole)
    assert (tmp_path / "whole" / MODEL).read_bytes() == (killed / MODEL).read_bytes()
