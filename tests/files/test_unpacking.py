import io
import lzma
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numprobe.files.unpacking import Xz


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=3000), min_size=1, max_size=3), st.integers(0, 8), st.integers(0, 10**6))
def test_reading_and_seeking_in_an_xz_of_several_streams(parts: list[bytes], padding: int, seed: int) -> None:
    packed = (b"\0" * 4 * padding).join(lzma.compress(part) for part in parts)
    stream: Any = io.BufferedReader(Xz(io.BytesIO(packed)), 64)
    whole = b"".join(parts)
    assert stream.read() == whole
    chance = random.Random(seed)
    for _ in range(5):
        at, count = chance.randrange(len(whole) + 1), chance.randrange(500)
        stream.seek(at)
        assert stream.read(count) == whole[at : at + count]


def test_an_xz_that_is_cut_off_raises_an_error() -> None:
    with pytest.raises(EOFError):
        Xz(io.BytesIO(lzma.compress(b"seven" * 99)[:-30])).readall()
