"""What a Python programmer calls."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from numprobe.analysis.geometry import Geometry, geometries
from numprobe.cards import Card, read_card
from numprobe.cards.reference import Reference
from numprobe.embedders import EMBEDDERS, FunctionEmbedder, GensimVectors, GivenVectors, is_learned
from numprobe.embedders.own import KeptEmbedder, OwnEmbedder
from numprobe.embedders.registry import name_for
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Event, Result, Store, run
from numprobe.experiments.laboratory import run_cell
from numprobe.numbers import Form
from numprobe.progress import RunProgress
from numprobe.registry import Spec, name_of
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
    template: str = "",
    test_form: str | Form = "",
    test_template: str = "",
    name: str = "",
    fingerprint: str = "",
    store: str | Path | None = None,
    workers: int | None = 1,
    device: str = "auto",
) -> Results:
    """Measure how well an embedder knows numbers.

    `embedder` is a name with settings ("char-cnn:padding=right"), an object with `encode`, a function `list[str] ->
    array`, or a dict of vectors. `task`, `form` and `probe` are names with settings or instances, and `probe` may be
    any scikit-learn regressor or classifier. There are five shuffles, or 20 where the probe is solved and not
    trained; `seeds` sets another number. `template` puts each number into a sentence ("It costs {number} dollars."),
    `test_form` and `test_template` write test numbers otherwise. A list of embedders, tasks or ranges gives a result
    for each. With a `store`, results are kept there and found again. An object of your own is kept under its `name`
    and a `fingerprint`, which is computed from some of its vectors unless you give one; tasks, forms and probes that
    are objects always run. `workers` processes share the work on named embedders in a store; None takes one per core.

    >>> import numprobe
    >>> result = numprobe.probe("value", task="decoding", numbers="0:30", probe="linear", seeds=2)
    >>> len(result.scores)
    2
    """
    cells: list[Cell] = []
    names = {one for one in _listed(embedder) if isinstance(one, str)}
    can_keep = store is not None and all(isinstance(part, str) for part in (*_listed(task), form, probe, test_form))
    mentioned = template, test_form, test_template
    for one in _listed(embedder):
        given, called = _named(one, name, fingerprint, names, can_keep)
        cells += [
            Cell.make(given, asked, chosen, form, probe, test_numbers, seeds, missing, *mentioned, name=called)
            for asked in _listed(task)
            for chosen in _listed(numbers)
        ]
    found, kept = _run(cells, store if can_keep else None, workers, device)
    return Results([found[cell] for cell in cells], kept)


def card(
    model: Any,
    *,
    quick: bool = False,
    name: str = "",
    fingerprint: str = "",
    store: str | Path | None = None,
    workers: int | None = 1,
    device: str = "auto",
) -> Card:
    """Make the numeracy card of a model: what it knows about numbers, beyond what their text gives away.

    `model` is what `probe` takes as an embedder, a folder or a hub id. The card has a `headline`, a `verdict`, `save`
    and `to_json`. What the text gives away comes with numprobe, so that only the model runs.

    >>> import numprobe
    >>> made = numprobe.card({str(n): [float(n)] for n in range(1000)}, quick=True)  # doctest: +SKIP
    >>> made.save("card.html")  # doctest: +SKIP
    """
    given, called = _named(
        name_for(model) if isinstance(model, str) else model, name, fingerprint, set(), store is not None
    )
    known = Reference()
    found, _ = _run(known.to_run(given, called, quick), store, workers, device)
    return read_card(given, called, quick, lambda cell: found.get(cell) or known.load(cell))


def _named(one: Any, name: str, fingerprint: str, names: set[str], can_keep: bool) -> tuple[Any, str]:
    """An embedder as cells take it, and what to call it if it is an object."""
    if isinstance(one, str):
        return one, ""
    given, called = _embedder(one), _unused(name or name_of(one), names)
    if not is_learned(given) and not hasattr(given, "of_shuffle"):
        given = KeptEmbedder(given, called, fingerprint) if can_keep else OwnEmbedder(given, called)
    if isinstance(given, KeptEmbedder):
        called = f"{called} ({given.revision[:6]})"
    names.add(called)
    return given, called


def _run(
    cells: Sequence[Cell], store: str | Path | None, workers: int | None, device: str
) -> tuple[dict[Cell, Result], set[Cell]]:
    """Run cells: those that can be kept in the store, and the others in this process; and say which it had already."""
    to_keep = [c for c in cells if store and (c.parts.is_named or isinstance(c.parts.embedder, KeptEmbedder))]
    progress = RunProgress(cells)
    kept: set[Cell] = set()

    def listen(event: Event) -> None:
        if event.kind == "found":
            kept.add(event.cell)
        if progress.is_live:
            progress.listen(event)

    with progress if progress.is_live else nullcontext():
        made = run(to_keep, Store(store or ""), workers=workers, device=device, listen=listen) if to_keep else []
        found = {result.cell: result for result in made}
        for cell in cells:
            if cell not in found:
                listen(Event("start", cell))
                found[cell] = run_cell(cell, device)
                listen(Event("done", cell, found[cell]))
    return found, kept


def geometry(
    embedder: Any, numbers: str = "0:999", *, layer: str | int = "", form: str | Form = "", name: str = ""
) -> Geometry | list[Geometry]:
    """Look at how the vectors of numbers lie; with `layer="all"`, at each layer.

    `embedder` is what `probe` takes. The spectrum shows waves over the number line, and κ beside it whether the
    remainder can be read from a vector at all: a spike alone is not knowledge.

    >>> import numprobe
    >>> found = numprobe.geometry("value:scale=raw", "0:199")
    >>> round(found.rsa.linear, 3), found.first_component
    (1.0, 1.0)
    """
    if isinstance(embedder, str):
        spec = Spec.parse(embedder)
        name = name or str(spec if layer == "" else spec.having(layer=str(layer)))
        given = EMBEDDERS.build(name)
    else:
        given, name = _embedder(embedder), name or name_of(embedder)
    found = geometries(given, name, numbers, form)
    return found if getattr(given, "layer", "") == "all" else found[-1]


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
