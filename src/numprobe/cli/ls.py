"""List embedders, tasks, weights, suites and results.

examples:
  numprobe ls
  numprobe ls weights
  numprobe ls --json
"""

from __future__ import annotations

from numprobe.cli._options import JSON, STORE, Options, option
from numprobe.cli._results import open_store, print_json
from numprobe.errors import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


ARGUMENTS = [option("WHAT", "list only these (default: all)", nargs="?"), STORE, JSON]


def execute(options: Options) -> int:
    from numprobe.embedders import EMBEDDERS
    from numprobe.embedders.given import given_weights
    from numprobe.embedders.weights import catalogue
    from numprobe.experiments import bundled_suites, load_suite
    from numprobe.tasks import TASKS

    def weights() -> dict[str, str]:
        entries = catalogue().items()
        sizes = {name: f"{entry.about} ({entry.size / 1e6:.0f} MB, {entry.licence})" for name, entry in entries}
        return sizes | {name: f"{entry.about}: {entry.how}" for name, entry in given_weights().items()}

    store = open_store(options)
    lists: dict[str, Callable[[], dict[str, str]]] = {
        "embedders": lambda: _registered(EMBEDDERS),
        "tasks": lambda: _registered(dict(TASKS)),
        "weights": weights,
        "suites": lambda: {name: load_suite(name).title for name in bundled_suites()},
        "results": lambda: {str(r.cell): f"{r.metric} {r.mean:.2f} ± {r.std:.2f}" for r in store.results()},
    }
    if options.what:
        one_of("list", options.what, lists)
    wanted = {name: make() for name, make in lists.items() if options.what in ("", name)}
    if options.json:
        print_json(wanted)
        return 0
    for name, entries in wanted.items():
        print(f"{name}:")
        width = max(map(len, entries), default=0)
        for entry, about in entries.items():
            print(f"  {entry:<{width}}  {about}")
        if not entries:
            print("  none yet")
    return 0


def _registered(registry: dict[str, type[Any]]) -> dict[str, str]:
    import dataclasses

    from numprobe.embedders.given import GIVEN
    from numprobe.embedders.sources import PACKAGE

    lines = {}
    for name, made in registry.items():
        fields = ", ".join(
            field.name if field.default is dataclasses.MISSING else f"{field.name}={field.default}"
            for field in dataclasses.fields(made)
            if not str(field.default).startswith((PACKAGE, GIVEN))
        )
        about = (made.__doc__ or "").strip().splitlines()[0]
        lines[name] = f"{about} [{fields}]" if fields else about
    return lines
