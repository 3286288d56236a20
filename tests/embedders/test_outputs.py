"""Whatever an embedder returns: the same vectors, or one line that says what is wrong."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse
import torch
from sklearn.feature_extraction.text import CountVectorizer

import numprobe

TABLE = np.column_stack((np.arange(60), np.arange(60) % 7, np.ones(60)))
TENSOR = torch.from_numpy(TABLE)


def rows(texts: list[str]) -> list[int]:
    return [int(text) for text in texts]


@pytest.mark.parametrize(
    "returned",
    [
        lambda at: TABLE[at],
        lambda at: TABLE[at].astype(np.float16),
        lambda at: TABLE[at].astype(np.float32),
        lambda at: TABLE[at].astype(np.int8),
        lambda at: TABLE[at].tolist(),
        lambda at: TENSOR[at],
        lambda at: TENSOR[at].half(),
        lambda at: TENSOR[at].bfloat16(),
        lambda at: TENSOR[at].float().requires_grad_(),
        lambda at: list(TENSOR[at].requires_grad_()),
        lambda at: scipy.sparse.csr_matrix(TABLE[at]),
        lambda at: scipy.sparse.coo_array(TABLE[at]),
        lambda at: TABLE[at][:, :1],
        lambda at: np.pad(TABLE[at], ((0, 0), (0, 20_000))),
    ],
    ids=[
        "float64", "float16", "float32", "int8", "lists", "tensor", "half", "bfloat16", "requires_grad",
        "list of tensors", "csr", "coo", "one dimension", "20,000 dimensions",
    ],
)  # fmt: skip
def test_every_kind_of_output(returned: Any) -> None:
    result = numprobe.probe(lambda texts: returned(rows(texts)), numbers="0:59", probe="linear:penalty=0", seeds=2)
    assert result.mean < 0.01


def test_a_scikit_learn_transformer() -> None:
    transformer = CountVectorizer(analyzer="char").fit(["0123456789"])
    result = numprobe.probe(transformer, numbers="0:99", probe="linear", name="characters")
    assert result[0].rescored("normalised-error").mean < 0.9


def test_constant_vectors_are_told(caplog: pytest.LogCaptureFixture) -> None:
    result = numprobe.probe(lambda texts: np.ones((len(texts), 4)), numbers="0:59", probe="linear", seeds=2)
    assert "have the same vector, so a probe can only guess" in caplog.text
    assert result[0].rescored("normalised-error").mean == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda texts: np.full((len(texts), 2), np.inf), "returned NaN or infinity, first for '0'"),
        (lambda texts: [[1.0]] * (len(texts) - 1), "for 60 texts, not"),
        (lambda texts: [[1.0] * (1 + len(text)) for text in texts], "rectangular array"),
        (lambda texts: "nothing", "rectangular array"),
        (lambda texts: None, "rectangular array|returned shape"),
    ],
)
def test_one_line(returned: Any, message: str) -> None:
    with pytest.raises(numprobe.NumprobeError, match=message):
        numprobe.probe(returned, numbers="0:59", probe="linear", name="mine")


def test_exceptions_arrive_as_they_are_with_the_texts() -> None:
    def broken(texts: list[str]) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        numprobe.probe(broken, numbers="0:59", probe="linear")
    assert caught.value.__notes__ == ["while 'broken' was encoding 60 texts from '0' to '59'"]
