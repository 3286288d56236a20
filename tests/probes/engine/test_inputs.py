import pytest
import torch

from numprobe.probes.engine.inputs import FAR, HUGE, FixedInputs, Rows, Scaling, scaled


def drawn(n: int = 200, dimension: int = 20) -> torch.Tensor:
    return torch.randn(1, n, dimension, generator=torch.Generator().manual_seed(3)).double()


def test_scaling_uses_the_first_table_alone() -> None:
    learn, answer = drawn(50, 4) * 7 + 3, drawn(10, 4)
    first, second = scaled([learn, answer])
    assert first.table.mean(dim=1).abs().max() < 1e-5
    assert first.table.square().sum(dim=2).mean().sqrt().item() == pytest.approx(1, abs=1e-5)
    ratio = (second.table[0, 0] - second.table[0, 1]) / (answer[0, 0] - answer[0, 1])
    assert torch.allclose(ratio, ratio[0].expand(4), rtol=1e-4)


@pytest.mark.parametrize("table", [torch.ones(1, 5, 2), torch.zeros(1, 5, 2), torch.full((1, 5, 2), 1e30)])
def test_equal_vectors_become_zero(table: torch.Tensor) -> None:
    assert [own.table.abs().max().item() for own in scaled([table, table[:, :2]])] == [0, 0]


@pytest.mark.parametrize("power", [10, -10, 60, -66])
def test_a_power_of_two_changes_no_bit(power: int) -> None:
    (plain,), (other,) = scaled([drawn()]), scaled([drawn() * 2.0**power])
    assert torch.equal(plain.table, other.table)


@pytest.mark.parametrize("factor", [1e3, 1e18, 1e-20])
def test_any_other_factor_changes_rounding_only(factor: float) -> None:
    (plain,), (other,) = scaled([drawn()]), scaled([drawn() * factor + 7 * factor])
    torch.testing.assert_close(plain.table, other.table, atol=1e-5, rtol=1e-5)


def test_a_few_huge_vectors_set_no_scale_and_keep_their_order() -> None:
    table = drawn()
    table[:, 50] *= 1e4
    table[:, 150] *= 1e6
    (made,) = scaled([table])
    lengths = made.table[0].norm(dim=1)
    usual = torch.cat([lengths[:50], lengths[51:150], lengths[151:]])
    assert usual.square().mean().sqrt().item() == pytest.approx(1, abs=1e-3)
    assert FAR < lengths[50] < lengths[150] < 20 * FAR


def test_a_huge_dimension_shrinks_and_a_small_one_stays_small() -> None:
    table = drawn()
    table[:, :, 4] *= 1e4
    table[:, :, 7] /= 100
    deviations = scaled([table])[0].table[0].std(dim=0)
    others = deviations[[0, 1, 2, 3, 5, 6, *range(8, 20)]]
    assert deviations[4].item() == pytest.approx(HUGE * others.mean().item(), rel=0.1)
    assert deviations[7].item() == pytest.approx(others.mean().item() / 100, rel=0.2)


def test_most_vectors_may_be_one_and_the_same() -> None:
    table = torch.zeros(1, 100, 3).double()
    table[:, :10] = drawn(10, 3)
    scaling = Scaling.of(table)
    made = scaling.apply(table)
    assert torch.isfinite(made).all()
    assert made.square().sum(dim=2).mean().sqrt().item() == pytest.approx(1, abs=0.3)


def test_rows_that_stay_where_they_are_are_the_same_vectors() -> None:
    source = torch.randn(3, 50, 4, generator=torch.Generator().manual_seed(1))
    rows = torch.tensor([[0, 7, 9], [4, 4, 1], [8, 2, 49]])
    there = Rows(source, [2, 0, 2], rows)
    here = torch.stack([source[2][rows[0]], source[0][rows[1]], source[2][rows[2]]])
    assert there.shape == here.shape
    assert torch.equal(torch.stack(list(there)), here)
    assert torch.equal(scaled([there])[0].table, scaled([here])[0].table)
    some = torch.tensor([2, 0])
    assert torch.equal(FixedInputs(there).among(some).table, here[some])


def test_all_datasets_in_their_order_are_no_copy() -> None:
    inputs = FixedInputs(drawn())
    assert inputs.among(torch.arange(1)) is inputs
