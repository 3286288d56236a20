"""The bank's layers against PyTorch's own."""

import numpy as np
import pytest
import torch
from torch import Tensor

from numprobe.kernels.layers import bilstm, concatenated, look_up
from numprobe.kernels.parameters import Weights, bilstm_layout, initial
from numprobe.kernels.prefixes import last_states, prefixes
from numprobe.numbers import generator

HIDDEN, WIDTH = 3, 4


def drawn(probes: int) -> dict[str, Tensor]:
    layout = bilstm_layout("lstm", WIDTH, HIDDEN)
    weights = initial(layout, [generator(probe) for probe in range(probes)])
    return {name: part.double().requires_grad_() for name, part in weights.items()}


def reference(weights: Weights, vectors: Tensor, places: Tensor, inside: Tensor | None = None) -> Tensor:
    """The same LSTM, one probe and one step at a time, differentiated by autograd."""
    probes = len(weights["lstm.bias"])
    datasets, items, time = places.shape
    states = []
    for probe in range(probes):
        dataset = probe // (probes // datasets)
        for side in (0, 1):
            into, bias, recurrent = (weights[f"lstm.{name}"][probe, side] for name in ("input", "bias", "recurrent"))
            h = c = vectors.new_zeros(items, HIDDEN)
            steps = range(time) if side == 0 else range(time - 1, -1, -1)
            for step in steps:
                own = vectors[dataset, places[dataset, :, step]] @ into + bias
                o, i, f, g = (own + h @ recurrent).chunk(4, dim=1)
                new_c = f.sigmoid() * c + i.sigmoid() * g.tanh()
                new_h = o.sigmoid() * new_c.tanh()
                reads = torch.ones(items, 1, dtype=bool) if inside is None else inside[dataset, :, step, None]
                h, c = torch.where(reads, new_h, h), torch.where(reads, new_c, c)
                states.append(h)
    return torch.stack(states).view(probes, 2, time, items, HIDDEN)


@pytest.mark.parametrize("settings", [1, 2])
@pytest.mark.parametrize("symbols", [6, 60])  # fewer vectors than are mentioned, and more
def test_lstm_and_its_gradient_agree_with_autograd(settings: int, symbols: int) -> None:
    torch.manual_seed(0)
    weights = drawn(2 * settings)
    vectors = torch.randn(2, symbols, WIDTH, dtype=torch.float64, requires_grad=True)
    places = torch.randint(symbols, (2, 5, 4))
    assert_same(bilstm(weights, "lstm", vectors, places), reference(weights, vectors, places), vectors, weights)


@pytest.mark.parametrize("settings", [1, 2])
@pytest.mark.parametrize("masked", ["nowhere", "at the end", "at the start"])
def test_reading_shared_beginnings_once_changes_nothing(settings: int, masked: str) -> None:
    torch.manual_seed(0)
    weights = drawn(2 * settings)
    vectors = torch.randn(2, 3, WIDTH, dtype=torch.float64, requires_grad=True)
    texts = torch.randint(3, (12, 4))
    inside = torch.arange(4) < torch.randint(1, 5, (12, 1)) if masked != "nowhere" else torch.ones_like(texts) > 0
    if masked == "at the start":
        inside = inside.flip(1)
    marked = torch.where(inside, texts, -1).numpy()
    beginnings = torch.from_numpy(np.stack([prefixes(marked), prefixes(marked[:, ::-1])], axis=1))
    rows = torch.stack([torch.randperm(12)[:7] for _ in range(2)])
    both = (torch.stack((given, given.flip(1)), dim=1) for given in (texts, inside))
    symbols, reads = (given[rows] for given in both)
    ours = last_states(weights, "lstm", vectors.repeat_interleave(settings, dim=0), symbols, beginnings[rows], reads)
    theirs = reference(weights, vectors, texts[rows], inside[rows])[:, :, -1].transpose(1, 2).flatten(2)
    assert_same(ours, theirs, vectors, weights)


def assert_same(ours: Tensor, theirs: Tensor, vectors: Tensor, weights: Weights) -> None:
    """The same values and the same gradients."""
    torch.testing.assert_close(ours, theirs)
    direction = torch.randn_like(ours)
    learned = (vectors, *weights.values())
    for one, other in zip(
        torch.autograd.grad((ours * direction).sum(), learned),
        torch.autograd.grad((theirs * direction).sum(), learned),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


def test_lstm_agrees_with_torch_nn() -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(WIDTH, HIDDEN, bidirectional=True, batch_first=True)
    vectors, places = torch.randn(6, WIDTH), torch.randint(6, (1, 5, 4))

    def ours(name: str) -> Tensor:
        """PyTorch's gates are input, forget, candidate, output; ours are output, input, forget, candidate."""
        sides = [getattr(lstm, f"{name}{side}").detach() for side in ("", "_reverse")]
        return torch.stack([torch.cat([side[9:], side[:9]]) for side in sides])

    weights = {
        "lstm.input": ours("weight_ih_l0").mT[None],
        "lstm.bias": (ours("bias_ih_l0") + ours("bias_hh_l0"))[None],
        "lstm.recurrent": ours("weight_hh_l0").mT[None],
    }
    states = bilstm(weights, "lstm", vectors[None], places)[0]
    expected, _ = lstm(vectors[places[0]])
    torch.testing.assert_close(states[0].transpose(0, 1), expected[..., :HIDDEN])
    torch.testing.assert_close(states[1].flip(0).transpose(0, 1), expected[..., HIDDEN:])


@pytest.mark.parametrize("n", [5, 50])  # each vector is multiplied once, or each mention of it
def test_concatenated_is_a_layer_over_an_items_vectors(n: int) -> None:
    vectors, weight, bias = torch.randn(2, n, 3), torch.randn(6, 6, 4), torch.randn(6, 4)
    numbers = torch.randint(n, (6, 8, 2))
    answers = concatenated(vectors, weight, bias, numbers)
    for network in range(6):
        rows = vectors[network // 3][numbers[network]].flatten(1)
        torch.testing.assert_close(answers[network], rows @ weight[network] + bias[network])


def test_look_up_takes_rows_of_each_dataset() -> None:
    rows, index = torch.randn(2, 5, 3), torch.randint(5, (4, 7))
    found = look_up(rows, index)
    for network in range(4):
        torch.testing.assert_close(found[network], rows[network // 2][index[network]])
