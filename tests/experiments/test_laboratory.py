import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import torch

from numprobe.embedders.layer_mix import LayerMix
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.experiments.laboratory import Laboratory, run_cell
from numprobe.probes import Dataset, Probe
from numprobe.probes.bilstm import BiLSTM
from numprobe.probes.linear import Linear
from numprobe.probes.mlp import MLP
from numprobe.probes.network import Recipe, Way


@dataclass(frozen=True)
class QuickMLP(MLP):
    recipe: ClassVar[Recipe] = Recipe((Way(0.01, 0.3, 32), Way(0.01, 1.5, 32)), steps=300, anneals=True)
    most_steps: int = 600


@dataclass(frozen=True)
class QuickBiLSTM(BiLSTM):
    recipe: ClassVar[Recipe] = Recipe((Way(0.01, 1.2, 128),), steps=100, anneals=False)
    most_steps: int = 200


def bits(text: str) -> list[float]:
    return [float(int(text) >> at & 1) for at in range(7)]


@dataclass
class Partial:
    """Knows the even numbers, and one odd one."""

    name: str = "partial"

    def covers(self, texts: list[str]) -> list[bool]:
        return [int(text) % 2 == 0 or text == "1" for text in texts]

    def encode(self, texts: list[str]) -> list[list[float]]:
        assert all(self.covers(texts))
        return [bits(text) for text in texts]


@dataclass
class Layered:
    """Three layers: noise, the bits of the number, noise again."""

    layer: str = "all"
    calls: int = 0
    noise: float = 1.0
    twins: bool = False
    """Whether the first layer holds the bits too, so that shuffles differ in which of the two is better."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_layers(texts)[-1]

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        self.calls += 1
        noise = self.noise * np.random.default_rng(0).normal(size=(3, len(texts), 7))
        known = np.array([bits(text) for text in texts])
        if self.twins:
            return np.stack([known + 0.1 * noise[0], known + 0.1 * noise[2], noise[1]])
        return np.stack([noise[0], known, noise[1]])


@dataclass
class InList:
    """Each number is read with its list: its vector holds the list's largest."""

    context: str = "in_list"
    lists: int = 0

    def encode(self, texts: list[str]) -> list[list[float]]:
        return [[float(text), 0.0] for text in texts]

    def encode_in_list(self, lists: list[list[str]]) -> list[list[list[float]]]:
        self.lists += len(lists)
        return [[[float(text), max(map(float, words))] for text in words] for words in lists]


def run(embedder: object, **given: object) -> Result:
    fields = {"task": "decoding", "range": "0:99", "probe": "linear", "seeds": 2, **given}
    return run_cell(Cell.make(embedder, **fields, name="mine"))  # type: ignore[arg-type]


def test_a_range_that_is_not_covered_is_refused_or_restricted() -> None:
    with pytest.raises(NumprobeError, match=r"mine has 51 of the 100 numbers of 0:99 and lacks 3, 5, 7, …"):
        run(Partial())
    result = run(Partial(), missing="restrict")
    assert result.coverage == {"covered": 51, "asked": 100}
    assert result.missing == list(range(3, 100, 2))
    assert all(number % 2 == 0 or number == 1 for seed in range(2) for number in result.held_out(seed))
    assert [len(row) for row in result.predictions or []] == [len(result.held_out(0))] * 2
    with pytest.raises(NumprobeError, match="too small to split for list-maximum"):
        run(Partial(), task="list-maximum", probe="bilstm", range="0:20", missing="restrict")


def test_an_embedder_without_numbers_is_refused() -> None:
    class Wordy(Partial):
        def covers(self, texts: list[str]) -> list[bool]:
            return [False] * len(texts)

    with pytest.raises(NumprobeError, match="mine has none of the 100 numbers of 0:99, such as '0'"):
        run(Wordy(), missing="restrict")


def test_layers_are_mixed_while_the_probe_learns() -> None:
    mixed = run(LayerMix(Layered(noise=0.0)), probe=QuickMLP())
    assert mixed.mean < 5
    assert mixed.layers == []


def test_a_sweep_scores_every_layer_and_encodes_once() -> None:
    embedder = Layered()
    result = run(embedder)
    assert embedder.calls == 1
    assert len(result.layers) == 3
    assert all(score < 1e-3 for score in result.layers[1])
    assert all(score > 10 for score in (*result.layers[0], *result.layers[2]))
    assert result.scores == result.layers[-1]
    *layers, best = result.by_layer()
    assert [layer.cell.embedder for layer in layers] == ["mine:layer=0", "mine:layer=1", "mine:layer=2"]
    assert best.scores == result.layers[1]


@pytest.mark.parametrize("probe", [QuickMLP(), Linear()], ids=["mlp", "linear"])
def test_the_best_layer_is_that_of_the_least_development_error_for_each_shuffle(probe: Probe) -> None:
    every, best = (run(Layered(layer, twins=True), probe=probe, seeds=4) for layer in ("all", "best"))
    assert every.layers == best.layers
    assert every.choices == best.choices
    assert every.scores == every.layers[-1]
    errors = np.array([choice["error"] for choice in best.choices]).reshape(3, 4)  # layers, then shuffles
    chosen = errors.argmin(axis=0)
    assert set(chosen) == {0, 1}
    assert best.scores == [best.layers[layer][shuffle] for shuffle, layer in enumerate(chosen)]
    assert best.by_layer()[-1].scores == best.scores
    assert [choice["layer"] for choice in every.by_layer()[-1].choices] == chosen.tolist()
    assert best.predictions
    for seed, answers in enumerate(best.predictions):
        off = np.array(answers) - best.held_out(seed)
        assert np.sqrt((off**2).mean()) == pytest.approx(best.scores[seed], rel=1e-3)


def test_a_probe_without_development_numbers_chooses_no_layer() -> None:
    from sklearn.linear_model import Ridge

    with pytest.raises(NumprobeError, match="uses no development numbers, so it can't choose a layer: use layer=all"):
        run(Layered("best"), probe=Ridge())


def test_a_layer_of_a_sweep_scores_as_it_does_alone() -> None:
    swept = run(Layered(), probe=QuickMLP()).layers[1]
    alone = run(lambda_layer(1), probe=QuickMLP()).scores
    assert swept == pytest.approx(alone, rel=1e-2)


def lambda_layer(number: int) -> object:
    class One:
        def encode(self, texts: list[str]) -> np.ndarray:
            return Layered().encode_layers(texts)[number]

    return One()


def test_lists_are_encoded_whole() -> None:
    task = "list-maximum:train_lists=2000,test_lists=100"
    embedder = InList()
    result = run(embedder, task=task, probe=QuickBiLSTM())
    assert embedder.lists == 2 * 2 * (2000 + 100)  # to choose settings, and to train
    assert result.mean > 0.9


def test_vectors_of_a_named_revision_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from numprobe.embedders.tables import clear, tables

    monkeypatch.setenv("NUMPROBE_CACHE", str(tmp_path))

    @dataclass
    class Counting:
        revision: str = "one"
        calls: int = 0

        def encode(self, texts: list[str]) -> list[list[float]]:
            self.calls += 1
            return [bits(text) for text in texts]

    first, second, other = Counting(), Counting(), Counting("two")
    scores = [run(embedder).scores for embedder in (first, second, other)]
    assert (first.calls, second.calls, other.calls) == (1, 0, 1)
    assert scores[0] == scores[1] == scores[2]
    assert sorted(table["revision"] for table in tables()) == ["one", "two"]
    damaged = Path(next(tables())["path"])
    damaged.write_bytes(damaged.read_bytes()[:-5])
    assert "damaged" in [table["embedder"] for table in tables()]
    with pytest.raises(NumprobeError, match=r"is damaged .* numprobe cache clear"):
        [run(embedder) for embedder in (first, other)]
    assert clear() > 0
    assert list(tables()) == []


@pytest.mark.parametrize("embedder", ["untrained-cnn:filters=3", "untrained-lstm:hidden=3", "random:dimension=5"])
def test_every_shuffle_draws_a_network_of_its_own(embedder: str) -> None:
    cell = Cell.make(embedder, "decoding", "0:99", seeds=3)
    drawn = Laboratory(cell, torch.device("cpu"))
    fixed = Laboratory(Cell.make(f"{embedder},seed=2", "decoding", "0:99", seeds=3), torch.device("cpu"))
    assert len(drawn.vectors) == len(fixed.vectors) == 3
    assert not np.isclose(drawn.vectors[0], drawn.vectors[1]).any(axis=1).all()
    assert torch.equal(fixed.vectors[0], fixed.vectors[1])
    assert torch.equal(drawn.vectors[2], fixed.vectors[0])
    seen = drawn.prepare("train", "test", [Dataset(0), Dataset(2)])
    for place, seed in enumerate((0, 2)):  # a shuffle sees its own network's vectors, centred and scaled
        table, own = seen.learn.inputs.table[place], drawn.vectors[seed][drawn.selection.split(seed).train]
        assert np.corrcoef((table[0] - table[1]).numpy(), (own[0] - own[1]).numpy())[0, 1] > 0.999


def test_a_shuffle_of_its_own_network_scores_as_with_that_seed() -> None:
    drawn = run_cell(Cell.make("untrained-cnn:filters=3", "decoding", "0:99", probe="linear", seeds=3))
    for seed in range(3):
        name = f"untrained-cnn:filters=3,seed={seed}"
        alone = run_cell(Cell.make(name, "decoding", "0:99", probe="linear", seeds=3))
        assert [round(score, 9) == round(drawn.scores[seed], 9) for score in alone.scores].index(True) == seed


@dataclass(frozen=True)
class Deep:
    """Many layers, which it makes for as many texts as are asked for at once."""

    layer: str = "all"
    revision: str = "1"
    bytes_per_text: int = 40 * 500 * 4

    def encode(self, texts: list[str]) -> np.ndarray:
        return self.encode_layers(texts)[-1]

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        values = np.array(texts, dtype=np.float32)[:, None]
        return np.stack([np.sin(values / np.arange(1 + layer, 501 + layer, dtype=np.float32)) for layer in range(40)])


def test_a_sweep_holds_a_few_of_many_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = 100 * 500 * 4
    monkeypatch.setattr("numprobe.embedders.base.BATCH_BYTES", 4 * layer)
    cell = Cell.make(Deep(), "decoding", "0:99", probe="linear", seeds=1, name="deep")
    tracemalloc.start()
    try:
        laboratory = Laboratory(cell, torch.device("cpu"))
        assert len(laboratory.answers()) == 5  # banks of eight layers
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 12 * layer, f"NumPy held {peak / layer:.1f} of 40 layers"


@dataclass(frozen=True)
class Placed:
    """Says where it computes: the first dimension is 1 on a GPU."""

    device: str = ""

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.array([[float(self.device == "cuda"), float(text)] for text in texts])


def test_a_gpu_serves_the_embedder_also_where_the_probe_needs_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numprobe.experiments.laboratory.pick_device", lambda name: torch.device("cuda"))
    for embedder, place in ((Placed(), 1), (Placed("cpu"), 0)):
        laboratory = Laboratory(Cell.make(embedder, "decoding", "0:99", probe="linear"), torch.device("cuda"))
        assert set(laboratory.vectors[0, :, 0].tolist()) == {place}
    assert run_cell(Cell.make(Placed(), "decoding", "0:99", probe="linear", seeds=1)).made["device"] == "cpu"
