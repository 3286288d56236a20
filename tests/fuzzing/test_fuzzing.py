"""A short run over all readers. `make fuzz` is the long run, in processes with bounded memory."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing.attempts import attempt, workshop
from tests.fuzzing.readers import READERS


@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    taken: list[bool] = []

    @settings(max_examples=40, deadline=5000, derandomize=True, database=None)
    @given(st.integers(0, 10**6))
    def one(seed: int) -> None:
        taken.append(attempt(name, seed, path))

    with workshop(name, tmp_path) as path:
        one()
    assert not all(taken)
