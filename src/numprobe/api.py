"""What a Python programmer calls."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from numprobe.embedders import FunctionEmbedder, GensimVectors, is_learned
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Store
from numprobe.experiments import run as run_cells
from numprobe.experiments.laboratory import run_cell
from numprobe.numbers import Form
from numprobe.registry import name_of
from numprobe.reports import Results


def probe(
    embedder: Any,
    task: Any = "decoding",
    numbers: str | Sequence[str] = "0:99",
    *,
    form: str | Form = "",
    probe: Any = "",
    test_numbers: str = "",
    seeds: int = 5,
    missing: str = "refuse",
    name: str = "",
    store: str | Path | None = None,
    device: str = "auto",
) -> Results:
    """Measure how well an embedder knows numbers.

    `embedder` is a name with settings ("char-cnn:padding=right"), an object with `encode`, or a function
    `list[str] -> array`. `task`, `form` and `probe` are names with settings or instances, and `probe` may be any
    scikit-learn regressor or classifier. A list of embedders, tasks or ranges gives a result for each. With a `store`,
    results of cells that are given by name are kept there and found again; objects always run.

    >>> import numprobe
    >>> result = numprobe.probe("value", task="decoding", numbers="0:30", probe="linear", seeds=2)
    >>> len(result.scores)
    2
    """
    results = []
    for one in _listed(embedder):
        given = one if isinstance(one, str) else _embedder(one)
        called = "" if isinstance(one, str) else name or name_of(one)
        cells = [
            Cell.make(given, asked, chosen, form, probe, test_numbers, seeds, missing, name=called)
            for asked in _listed(task)
            for chosen in _listed(numbers)
        ]
        if store is not None and all(cell.parts.is_named for cell in cells):
            results += run_cells(cells, Store(store), device=device)
        else:
            results += [run_cell(cell, device) for cell in cells]
    return Results(results)


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _embedder(given: Any) -> Any:
    if hasattr(given, "key_to_index"):
        return GensimVectors(given)
    if hasattr(given, "encode") or is_learned(given):
        return given
    if callable(given):
        function: Callable[[list[str]], Any] = given
        return FunctionEmbedder(function)
    raise NumprobeError(f"{given!r} is not an embedder: give a name, an object with encode, or a function of texts")
