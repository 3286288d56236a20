"""What a number's text gives away."""

import numpy as np
import pytest

import numprobe
from numprobe.embedders import load_embedder
from numprobe.embedders.strings import SIGNED_STRINGS

BY_DIGITS = "10:999999999/digits/700"


def r2(embedder: str) -> float:
    found = numprobe.probe(embedder, "decoding:target=log2", BY_DIGITS, probe="linear", seeds=20)
    return float(np.mean(found[0].rescored("r2").scores))


def test_the_length_alone_nearly_gives_the_logarithm() -> None:
    assert r2("length") == pytest.approx(0.988, abs=0.002)
    assert r2("first-digit") == pytest.approx(0.9997, abs=0.0001)


def test_digit_one_hots_decode_exactly() -> None:
    assert numprobe.probe("digit-one-hots", numbers="0:999", probe="linear").mean < 1e-6


def test_digits_need_their_sign() -> None:
    errors = {name: numprobe.probe(name, numbers="-100:100", probe="linear").mean for name in SIGNED_STRINGS}
    assert min(errors.values()) == errors["signed-digits"] < 2
    assert min(error for name, error in errors.items() if name != "signed-digits") > 20


@pytest.mark.parametrize("name", SIGNED_STRINGS)
def test_any_text_has_a_vector_of_its_own_whatever_comes_with_it(name: str) -> None:
    embedder = load_embedder(name)
    texts = ["7", "75", "-3.5", "seventy-five", "", "9" * 100, "½ €"]
    together = embedder.encode(texts)
    assert np.isfinite(together).all()
    assert (together == np.concatenate([embedder.encode([text]) for text in texts])).all()


def test_what_each_of_them_tells_apart() -> None:
    def same(name: str, one: str, other: str) -> bool:
        vectors = load_embedder(name).encode([one, other])
        return bool((vectors[0] == vectors[1]).all())

    assert same("length", "75", "19")
    assert not same("length", "75", "750")
    assert same("first-digit", "75", "71")
    assert not same("first-digit", "75", "85")
    assert not same("digit-one-hots", "75", "74")
    assert not same("digit-one-hots", "-75", "75")
    assert same("digit-one-hots", "seventy", "seventy")


def test_mistakes() -> None:
    for wrong in ("digit-one-hots:places=0", "edit-distance:anchors=0", "length:places=3"):
        with pytest.raises(numprobe.NumprobeError):
            load_embedder(wrong)
