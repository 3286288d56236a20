"""What a Python programmer calls."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numprobe.embedders import FunctionEmbedder, GensimVectors, is_learned
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Store
from numprobe.experiments import run as run_cells
from numprobe.experiments.execute import execute
from numprobe.reports import Results


def probe(
    embedder: Any,
    task: str | Sequence[str] = "decoding",
    numbers: str | Sequence[str] = "0:99",
    *,
    form: str = "",
    probe: str = "",
    protocol: str = "strict",
    test_numbers: str = "",
    seeds: int = 5,
    missing: str = "refuse",
    name: str = "",
    store: str | Path | None = None,
    device: str = "auto",
) -> Results:
    """How well an embedder knows numbers.

    `embedder` is a name with settings ("char-cnn:padding=right"), an object with `encode`, or any function
    `list[str] -> array`; a list of these gives a row for each. With a `store`, results of named embedders
    are kept there and found again; what an object does can't be told from its name, so it always runs.

    >>> import numprobe
    >>> result = numprobe.probe("value", task="decoding", numbers="0:30", probe="linear", seeds=2)
    >>> len(result.scores)
    2
    """
    results = []
    for one in embedder if isinstance(embedder, list | tuple) else [embedder]:
        known = isinstance(one, str)
        label = one if known else name or _name(one)
        tasks, ranges = ([x] if isinstance(x, str) else list(x) for x in (task, numbers))
        cells = [
            Cell.make(label, t, r, form, probe, protocol, test_numbers, seeds, missing, registered=known)
            for t in tasks
            for r in ranges
        ]
        if known and store is not None:
            results += run_cells(cells, Store(store), device=device)
        else:
            results += [execute(cell, None if known else _embedder(one), device) for cell in cells]
    return Results(results)


def _embedder(given: Any) -> Any:
    if hasattr(given, "key_to_index"):
        return GensimVectors(given)
    if hasattr(given, "encode") or is_learned(given):
        return given
    if callable(given):
        function: Callable[[list[str]], Any] = given
        return FunctionEmbedder(function)
    raise NumprobeError(f"{given!r} is no embedder: give a name, an object with encode, or a function of texts")


def _name(given: Any) -> str:
    return str(getattr(given, "name", None) or getattr(given, "__name__", None) or type(given).__name__)
