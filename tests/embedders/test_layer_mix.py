from dataclasses import dataclass

import numpy as np
import torch

from numprobe.embedders import is_learned
from numprobe.embedders.layer_mix import LayerMix
from numprobe.kernels.parameters import initial
from numprobe.numbers import generator
from numprobe.probes.engine.bank import Bank, Data, Run, Settings
from numprobe.probes.engine.inputs import LearnedInputs
from numprobe.probes.engine.objectives import OBJECTIVES
from numprobe.tasks import Answer
from tests.probes.engine.planted import QuickMLP


@dataclass(frozen=True)
class OneLayerKnows:
    """Three layers of noise, one of which is replaced by the value."""

    knows: int

    def encode_layers(self, texts: list[str]) -> np.ndarray:
        noise = np.stack([generator(0, text).normal(size=(3, 4)) for text in texts], axis=1)
        noise[self.knows] = np.array([[float(text) / 30 - 1] for text in texts]) * [1, -1, 2, 0.5]
        return noise


def test_the_mix_starts_as_the_mean_and_has_weights_per_probe() -> None:
    embedder = OneLayerKnows(1)
    mix = LayerMix(embedder)
    texts = [str(n) for n in range(6)]
    layers = torch.from_numpy(embedder.encode_layers(texts)).float()
    rows = torch.tensor([[0, 1, 2], [5, 4, 3]])
    reading = mix.read(texts).take(rows)
    layout = mix.layout()
    start = initial(layout, [generator(0)] * 4)
    assert mix.dimension == 4
    assert is_learned(mix)
    for probe, vectors in enumerate(mix.vectors(start, reading)):
        torch.testing.assert_close(vectors, layers.mean(dim=0)[rows[probe // 2]])
    drawn = {name: torch.randn(4, *parameter.shape) for name, parameter in layout.items()}
    for probe, vectors in enumerate(mix.vectors(drawn, reading)):
        shares = drawn["mix"][probe].exp() / drawn["mix"][probe].exp().sum()
        weighed = sum(share * layer for share, layer in zip(shares, layers, strict=True))
        torch.testing.assert_close(vectors, (1 + drawn["gamma"][probe]) * weighed[rows[probe // 2]])


def test_the_mix_moves_to_the_layer_that_knows() -> None:
    texts = [str(n) for n in range(60)]
    for knows in (0, 2):
        mix = LayerMix(OneLayerKnows(knows))
        rows = torch.stack([torch.from_numpy(generator(seed).permutation(60)) for seed in (0, 1)])
        inputs = LearnedInputs(mix, mix.read(texts), rows)
        numbers = torch.arange(60).view(1, 60, 1).expand(2, -1, -1)
        data = Data(inputs, numbers, rows / 30 - 1)
        bank = Bank(QuickMLP(), OBJECTIVES[Answer.VALUE], data)
        settings = Settings(torch.tensor([[0.03, 0.02]] * 2), torch.full((2, 2), 0.5), batch=32)
        weights = Run(bank, data, settings, [generator(0)] * 2).train(300, True)
        shares = weights["embedder.mix"].softmax(dim=1)
        assert (shares[:, knows] > 0.6).all()
        assert (weights["embedder.gamma"] > 0).all()
