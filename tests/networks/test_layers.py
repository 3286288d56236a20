"""The bank's layers against PyTorch's own."""

import pytest
import torch
from torch import Tensor

from numprobe.networks import bilstm, look_up, project

HIDDEN, SYMBOLS, WIDTH = 3, 6, 4


def reference(gates: Tensor, recurrent: Tensor, places: Tensor, inside: Tensor | None) -> Tensor:
    """The same LSTM, one probe and one step at a time, differentiated by autograd."""
    probes = len(gates)
    datasets, items, time = places.shape
    states = []
    for probe in range(probes):
        dataset = probe // (probes // datasets)
        for side in (0, 1):
            h = c = gates.new_zeros(items, HIDDEN)
            steps = range(time) if side == 0 else range(time - 1, -1, -1)
            for step in steps:
                own = gates[probe].view(SYMBOLS, 2, 4 * HIDDEN)[places[dataset, :, step], side]
                i, f, o, g = (own + h @ recurrent[probe, side]).chunk(4, dim=1)
                new_c = f.sigmoid() * c + i.sigmoid() * g.tanh()
                new_h = o.sigmoid() * new_c.tanh()
                reads = torch.ones(items, 1, dtype=bool) if inside is None else inside[dataset, :, step, None]
                h, c = torch.where(reads, new_h, h), torch.where(reads, new_c, c)
                states.append(h)
    return torch.stack(states).view(probes, 2, time, items, HIDDEN)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("settings", [1, 2])
def test_lstm_and_its_gradient_agree_with_autograd(masked: bool, settings: int) -> None:
    torch.manual_seed(0)
    probes = 2 * settings
    gates = torch.randn(probes, SYMBOLS, 8 * HIDDEN, dtype=torch.float64, requires_grad=True)
    recurrent = torch.randn(probes, 2, HIDDEN, 4 * HIDDEN, dtype=torch.float64, requires_grad=True)
    places = torch.randint(SYMBOLS, (2, 5, 4))
    inside = torch.arange(4).expand(2, 5, 4) < torch.randint(1, 5, (2, 5, 1)) if masked else None
    weight = torch.randn(probes, 2, 4, 5, HIDDEN, dtype=torch.float64)
    ours, theirs = bilstm(gates, recurrent, places, inside), reference(gates, recurrent, places, inside)
    torch.testing.assert_close(ours, theirs)
    for one, other in zip(
        torch.autograd.grad((ours * weight).sum(), (gates, recurrent)),
        torch.autograd.grad((theirs * weight).sum(), (gates, recurrent)),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


def test_lstm_agrees_with_torch_nn() -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(WIDTH, HIDDEN, bidirectional=True, batch_first=True)
    vectors, places = torch.randn(SYMBOLS, WIDTH), torch.randint(SYMBOLS, (1, 5, 4))

    def ours(name: str) -> list[Tensor]:
        """PyTorch's gates are input, forget, candidate, output; ours end with the candidate."""
        order = torch.cat([torch.arange(0, 2), torch.tensor([3, 2])])
        made = []
        for side in ("", "_reverse"):
            weight = getattr(lstm, f"{name}{side}").detach()
            made.append(weight.view(4, HIDDEN, *weight.shape[1:])[order].flatten(0, 1))
        return made

    inputs, recurrents = ours("weight_ih_l0"), ours("weight_hh_l0")
    biases = [one + other for one, other in zip(ours("bias_ih_l0"), ours("bias_hh_l0"), strict=True)]
    gates = torch.cat([vectors @ w.T + b for w, b in zip(inputs, biases, strict=True)], dim=1)[None]
    states = bilstm(gates, torch.stack([w.T for w in recurrents])[None], places)[0]
    expected, _ = lstm(vectors[places[0]])
    torch.testing.assert_close(states[0].transpose(0, 1), expected[..., :HIDDEN])
    torch.testing.assert_close(states[1].flip(0).transpose(0, 1), expected[..., HIDDEN:])


def test_project_gives_each_probe_its_own_product() -> None:
    inputs, weight = torch.randn(2, 5, 3), torch.randn(6, 3, 4)
    product = project(inputs, weight)
    for probe in range(6):
        torch.testing.assert_close(product[probe], inputs[probe // 3] @ weight[probe])


def test_look_up_takes_rows_of_each_probe() -> None:
    rows, index = torch.randn(4, 5, 3), torch.randint(5, (2, 7))
    found = look_up(rows, index)
    for probe in range(4):
        torch.testing.assert_close(found[probe], rows[probe][index[probe // 2]])
