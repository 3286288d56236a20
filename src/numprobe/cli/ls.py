"""List embedders, tasks, probes, forms, metrics, weights, suites and results.

examples:
  numprobe ls
  numprobe ls weights
  numprobe ls --json
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from numprobe.cli._options import JSON, STORE, Options, option
from numprobe.cli._results import open_store, print_json
from numprobe.embedders import EMBEDDERS
from numprobe.embedders.sources import GIVEN
from numprobe.embedders.sources.catalogue import PACKAGE, catalogue
from numprobe.errors import one_of
from numprobe.experiments import bundled_suites, load_suite
from numprobe.metrics import METRICS
from numprobe.numbers import FORMS
from numprobe.probes import PROBES
from numprobe.registry import Registry
from numprobe.tasks import TASKS

ARGUMENTS = [option("WHAT", "what to list, such as tasks (default: everything)", nargs="?"), STORE, JSON]


def execute(options: Options) -> None:
    def weights() -> dict[str, str]:
        return {
            name: f"{entry.about}: {entry.how}"
            if entry.how
            else f"{entry.about} ({entry.size / 1e6:.0f} MB, {entry.licence}{entry.terms and f': {entry.terms}'})"
            for name, entry in sorted(catalogue().items(), key=lambda item: bool(item[1].how))
        }

    def results() -> dict[str, str]:
        kept = ((f"{one.cell}, {one.cell.probe}, {one.cell.seeds} shuffles", one) for one in store.results())
        return {name: f"{one.metric} {one.mean:.2f} ± {one.std:.2f}" for name, one in kept}

    store = open_store(options)
    registries: tuple[Registry[Any], ...] = (EMBEDDERS, TASKS, PROBES, FORMS, METRICS)
    lists: dict[str, Callable[[], dict[str, str]]] = {
        **{f"{registry.kind}s": partial(_parts, registry) for registry in registries},
        "weights": weights,
        "suites": lambda: {name: load_suite(name).title for name in bundled_suites()},
        "results": results,
    }
    if options.what:
        one_of("list", options.what, lists)
    wanted = {name: make() for name, make in lists.items() if options.what in ("", name)}
    if options.json:
        print_json(wanted)
        return
    for name, entries in wanted.items():
        print(f"{name}:")
        width = max(map(len, entries), default=0)
        for entry, about in entries.items():
            print(f"  {entry:<{width}}  {about}")
        if not entries:
            print("  none yet")


def _parts(registry: Registry[Any]) -> dict[str, str]:
    """What each part is, and its settings with their defaults."""
    lines = {}
    for name in registry:
        settings = registry.settings(name).items()
        shown = [f"{key}={value}".rstrip("=") for key, value in settings if not value.startswith((PACKAGE, GIVEN))]
        lines[name] = registry.about(name) + (f" [{', '.join(shown)}]" if shown else "")
    return lines
