from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from numprobe.embedders import load_embedder
from numprobe.embedders.running_text import windows_of
from tests.drop.tiny import save_tiny_model


@given(st.integers(1, 500), st.integers(4, 60))
def test_windows_read_every_piece_once_and_far_from_their_borders(pieces: int, longest: int) -> None:
    read = []
    for start, first, last in windows_of(pieces, longest):
        assert start <= first < last <= min(start + longest, pieces)
        assert start == 0 or first - start >= longest // 4
        assert last == pieces or start + longest - last >= longest // 4
        read += range(first, last)
    assert read == list(range(pieces))


def test_words_have_their_states_in_the_whole_text(tmp_path: Path) -> None:
    embedder = load_embedder(
        f"transformer:model={save_tiny_model(tmp_path, pieces=32)},layer=1,reading=mean,start=none"
    )
    text, places = "one 23 four", [(0, 3), (4, 6), (7, 11)]
    (_, found), *more = embedder.encode_words([text], [places])
    assert not more
    assert found.shape == (3, 16)
    # A model that reads from left to right can't tell a text from its beginning.
    assert np.allclose(found[0], embedder.encode(["one"])[0], atol=1e-5)
    assert not np.allclose(found[1], embedder.encode(["23"])[0], atol=1e-2)
    long = " ".join(["word"] * 30)
    ((_, windowed),) = embedder.encode_words([long], [[(5 * n, 5 * n + 4) for n in range(30)]])
    assert np.isfinite(windowed).all()
    assert np.abs(windowed).max(axis=1).all()
    (_, empty), *_ = embedder.encode_words(["a  b"], [[(0, 1), (1, 1), (3, 4)]])
    assert not empty[1].any()
