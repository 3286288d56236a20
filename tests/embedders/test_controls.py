"""Controls take away what they say, and nothing else."""

import numpy as np
import pytest

import numprobe
from numprobe.embedders import load_embedder
from numprobe.embedders.controls import controls_of
from numprobe.experiments import Cell
from numprobe.experiments.floors import floors

TEXTS = [str(number) for number in range(300)]


def test_dealing_out_anew_keeps_the_vectors_and_changes_the_order() -> None:
    own = load_embedder("untrained-cnn:seed=1").encode(TEXTS)
    dealt = load_embedder("shuffled:of=untrained-cnn:seed=1,seed=4").encode(TEXTS)
    assert not np.allclose(own, dealt)
    assert np.allclose(np.sort(own, axis=0), np.sort(dealt, axis=0))


def test_a_gaussian_has_the_mean_and_the_covariance() -> None:
    own = load_embedder("digit-one-hots").encode(TEXTS)
    drawn = np.concatenate([load_embedder(f"gaussian:of=digit-one-hots,seed={n}").encode(TEXTS) for n in range(100)])
    assert np.abs(drawn.mean(axis=0) - own.mean(axis=0)).max() < 0.02
    assert np.abs(np.cov(drawn.T) - np.cov(own.T, bias=True)).max() < 0.02


@pytest.mark.parametrize("control", ["shuffled", "gaussian"])
@pytest.mark.parametrize(("task", "probe"), [("decoding", "linear"), ("addition", "linear")])
def test_nobody_decodes_better_than_guessing(control: str, task: str, probe: str) -> None:
    result = numprobe.probe(f"{control}:of=digit-one-hots", task, "0:199", probe=probe, seeds=5)[0]
    assert np.mean(result.rescored("normalised-error").scores) == pytest.approx(1, abs=0.08)


def test_shuffles_draw_their_own_and_batches_do_not_matter() -> None:
    control = load_embedder("shuffled:of=value")
    assert not (control.of_shuffle(0).encode(TEXTS) == control.of_shuffle(1).encode(TEXTS)).all()
    wide = numprobe.probe("shuffled:of=value", numbers="0:9999", probe="linear", seeds=2)  # more than one batch
    assert wide[0].rescored("normalised-error").mean == pytest.approx(1, abs=0.02)


def test_which_embedders_have_which() -> None:
    assert controls_of("value") == ["shuffled:of=value", "gaussian:of=value"]
    assert controls_of("char-lstm:hidden=5") == ["shuffled:of=char-lstm:hidden=5"]
    assert len(controls_of("minilm-l6")) == 3
    names = [floor.embedder for floor in floors(Cell.make("length", "decoding", "0:99"))]
    assert names == ["shuffled:of=length", "gaussian:of=length", "first-digit", "digit-one-hots", "edit-distance"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gaussian:of=char-cnn", "no gaussian control of char-cnn: it learns with its probe"),
        ("untrained:of=value", "only transformers have an untrained twin"),
        ("shuffled:of=smollm2-135m:layer=all", "it takes one layer of a model"),
        ("shuffled", "needs of: write shuffled:of="),
        ("shuffled:of=valu", "unknown embedder 'valu'; did you mean 'value'?"),
    ],
)
def test_mistakes(name: str, message: str) -> None:
    with pytest.raises(numprobe.NumprobeError, match=message):
        load_embedder(name)


def test_a_learned_embedder_reads_each_number_as_another() -> None:
    result = numprobe.probe("shuffled:of=char-cnn:filters=10", numbers="0:199", probe="mlp:most_steps=300", seeds=2)[0]
    assert result.rescored("normalised-error").mean > 0.95
