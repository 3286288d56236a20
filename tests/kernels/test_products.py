import pytest
import torch

from numprobe.kernels.products import add_products, product, products


@pytest.mark.parametrize("kind", [torch.float32, torch.float64], ids=["oneDNN", "PyTorch"])
@pytest.mark.parametrize("datasets", [1, 3, 6])
def test_products_are_those_of_pytorch(datasets: int, kind: torch.dtype) -> None:
    torch.manual_seed(0)
    rows, weights = torch.randn(datasets, 7, 5, dtype=kind), torch.randn(6, 4, 5, dtype=kind).mT
    expected = rows.repeat_interleave(6 // datasets, dim=0) @ weights
    torch.testing.assert_close(products(rows, weights), expected)
    own, other = (part.clone().requires_grad_() for part in (rows, weights))
    found = product(own, other)
    torch.testing.assert_close(found, expected)
    gradient = torch.randn_like(found)
    mine = torch.autograd.grad(found, (own, other), gradient)
    theirs = torch.autograd.grad(own.repeat_interleave(6 // datasets, dim=0) @ other, (own, other), gradient)
    torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_products_are_added_in_place(kind: torch.dtype) -> None:
    torch.manual_seed(0)
    terms, left, right = (torch.randn(3, *shape, dtype=kind) for shape in ((4, 6), (4, 5), (5, 6)))
    out = torch.empty_like(terms)
    add_products(terms, left, right, out)
    torch.testing.assert_close(out, terms + left @ right)
