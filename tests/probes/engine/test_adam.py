import torch

from numprobe.probes.engine.adam import LARGEST_GRADIENT, Adam

RATES = [0.01, 0.01, 0.003]
SHARES = [0.5, 1.0, 0.2]
PARTS = [0.3, 1.0]
"""The shares of the two weights."""


def test_each_probe_is_updated_as_by_an_adam_of_its_own() -> None:
    torch.manual_seed(0)
    weights = [torch.randn(3, 4, 5), torch.randn(3, 2)]
    rows = [[weight[probe].clone().requires_grad_() for weight in weights] for probe in range(3)]
    adam = Adam(weights, RATES, PARTS)
    theirs = [torch.optim.Adam([{"params": row} for row in own]) for own in rows]
    for share in SHARES:
        # One probe's gradient is longer than the largest, and the gradients are not laid out as the weights are.
        scale = torch.tensor([0.01, 10.0, 0.01])
        gradients = [(torch.randn(5, 4, 3) * scale).permute(2, 1, 0), (torch.randn(2, 3) * scale).T]
        adam.step(gradients, share)
        for probe, (own, other) in enumerate(zip(rows, theirs, strict=True)):
            for row, gradient in zip(own, gradients, strict=True):
                row.grad = gradient[probe].clone()
            torch.nn.utils.clip_grad_norm_(own, LARGEST_GRADIENT)
            for group, part in zip(other.param_groups, PARTS, strict=True):
                group["lr"] = RATES[probe] * share * part
            other.step()
    for probe, own in enumerate(rows):
        for weight, row in zip(weights, own, strict=True):
            torch.testing.assert_close(weight[probe], row.detach())


def test_some_probes_go_on_as_they_do_among_all() -> None:
    torch.manual_seed(0)
    everyone = [torch.randn(3, 4, 5), torch.randn(3, 2)]
    adam, kept = Adam(everyone, RATES, PARTS), torch.tensor([2, 0])
    adam.step([torch.randn_like(weight) for weight in everyone], 1.0)
    some = [weight[kept] for weight in everyone]
    others = adam.among(some, kept)
    for share in SHARES:
        gradients = [torch.randn_like(weight) for weight in everyone]
        adam.step(gradients, share)
        others.step([gradient[kept] for gradient in gradients], share)
    for weight, own in zip(everyone, some, strict=True):
        torch.testing.assert_close(weight[kept], own)
