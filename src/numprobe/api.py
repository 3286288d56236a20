"""What a Python programmer calls."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from numprobe.embedders import FunctionEmbedder, GensimVectors, GivenVectors, is_learned
from numprobe.embedders.own import KeptEmbedder, OwnEmbedder
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Event, Store, run
from numprobe.experiments.laboratory import run_cell
from numprobe.numbers import Form
from numprobe.progress import RunProgress
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
    seeds: int | None = None,
    missing: str = "refuse",
    name: str = "",
    fingerprint: str = "",
    store: str | Path | None = None,
    device: str = "auto",
) -> Results:
    """Measure how well an embedder knows numbers.

    `embedder` is a name with settings ("char-cnn:padding=right"), an object with `encode`, a function `list[str] ->
    array`, or a dict of vectors. `task`, `form` and `probe` are names with settings or instances, and `probe` may be
    any scikit-learn regressor or classifier. There are five shuffles, or 20 where the probe is solved and not
    trained; `seeds` sets another number. A list of embedders, tasks or ranges gives a result for each. With a
    `store`, results are kept there and found again. An object of your own is kept under its `name` and a
    `fingerprint`, which is computed from some of its vectors unless you give one; tasks, forms and probes that are
    objects always run.

    >>> import numprobe
    >>> result = numprobe.probe("value", task="decoding", numbers="0:30", probe="linear", seeds=2)
    >>> len(result.scores)
    2
    """
    cells: list[Cell] = []
    names = {one for one in _listed(embedder) if isinstance(one, str)}
    can_keep = store is not None and all(isinstance(part, str) for part in (*_listed(task), form, probe))
    for one in _listed(embedder):
        given, called = one, ""
        if not isinstance(one, str):
            given, called = _embedder(one), _unused(name or name_of(one), names)
            if not is_learned(given) and not hasattr(given, "of_shuffle"):
                given = KeptEmbedder(given, called, fingerprint) if can_keep else OwnEmbedder(given, called)
            if isinstance(given, KeptEmbedder):
                called = f"{called} ({given.revision[:6]})"
        names.add(called)
        cells += [
            Cell.make(given, asked, chosen, form, probe, test_numbers, seeds, missing, name=called)
            for asked in _listed(task)
            for chosen in _listed(numbers)
        ]
    to_keep = [c for c in cells if can_keep and (c.parts.is_named or isinstance(c.parts.embedder, KeptEmbedder))]
    progress = RunProgress(cells)
    with progress if progress.is_live else nullcontext():
        listen = progress.listen if progress.is_live else lambda event: None
        kept = run(to_keep, Store(store or ""), device=device, listen=listen) if to_keep else []
        found = {result.cell: result for result in kept}
        for cell in cells:
            if cell not in found:
                listen(Event("start", cell))
                found[cell] = run_cell(cell, device)
                listen(Event("done", cell, found[cell]))
    return Results([found[cell] for cell in cells])


def _unused(name: str, used: set[str]) -> str:
    """The name, with a number if another embedder has it already: two lambdas are two rows of a table."""
    names = (f"{name} {number}" if number > 1 else name for number in count(1))
    return next(one for one in names if one not in used)


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _embedder(given: Any) -> Any:
    if hasattr(given, "key_to_index"):
        return GensimVectors(given)
    if hasattr(given, "encode") or is_learned(given):
        return given
    if hasattr(given, "transform") and not isinstance(given, type):  # scikit-learn's
        return FunctionEmbedder(given.transform)
    if isinstance(given, Mapping):
        return GivenVectors(given)
    if callable(given):
        return FunctionEmbedder(given)
    raise NumprobeError(
        f"{given!r} is not an embedder: give a name, an object with encode, a dict of vectors, or a function of texts"
    )
