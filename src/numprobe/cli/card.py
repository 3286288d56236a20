"""Write the numeracy card of a model: what it knows about numbers, beyond what their text gives away.

examples:
  numprobe card minilm-l6 --quick
  numprobe card ./my-model --out my-model.html
  numprobe card endpoint:url=http://localhost:8080/v1,model=my-model
  numprobe card vectors.parquet --quick --json
  numprobe card glove-6b-50d --quick --published

MODEL is the name of an embedder with its settings, a folder or a hub id of a transformer or sentence transformer, or a
file of vectors. Beside the page stand a badge (.svg) and metadata for a model card (.yaml).
"""

import os
import sys
from collections import Counter
from collections.abc import Sequence

from numprobe.cards import Card, card_cells, read_card
from numprobe.cards.reference import Reference
from numprobe.cli._options import JSON, RUNNING, Options, option
from numprobe.cli._results import open_store, run_cells
from numprobe.embedders import encoder
from numprobe.embedders.registry import name_for
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, cost

ARGUMENTS = [
    option("MODEL", "the model: a name, a folder, a hub id, an endpoint, or a file of vectors"),
    option("--quick", "linear probes and few lists: about a minute for a small model"),
    option("--published", "run nothing: the card of a reference model, from the results that come with numprobe"),
    option("--out FILE", "the page to write (default: card.html, and none with --json)"),
    option("--workers N", "how many processes to use (default: one per core)", None, type=int),
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    model = name_for(options.model)
    store, known = open_store(options), Reference()
    if options.published:
        if not any(known.load(cell) for cell in card_cells(model, quick=options.quick)):
            raise NumprobeError(f"numprobe has no results of {model}: leave out --published to make some")
        return _show(read_card(model, "", options.quick, known.load), options)
    cells = known.to_run(model, "", options.quick)
    missing = [cell for cell in cells if store.load(cell) is None]
    if missing and not options.json:
        print(f"numprobe: {_forecast(missing, options.workers or os.cpu_count() or 1)}", file=sys.stderr)
    _, code = run_cells(cells, options)
    _show(read_card(model, "", options.quick, lambda cell: store.load(cell) or known.load(cell)), options)
    return code


def _forecast(cells: Sequence[Cell], workers: int) -> str:
    """What will be run, and about how long that takes."""
    counts = Counter(cell.parts.task.name for cell in cells)
    seconds = max(sum(map(cost, cells)) / min(workers, len(cells)), *map(cost, cells), 30)
    told = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
    asked = ", ".join(f"{name} {count}" for name, count in counts.items())
    waits = any(hasattr(encoder(cell.parts.embedder), "requests") for cell in cells)
    and_service = ", and the time that the service takes for its answers" if waits else ""
    return f"{len(cells)} cells to run ({asked}), about {told} with {min(workers, len(cells))} free cores{and_service}"


def _show(card: Card, options: Options) -> int:
    """Print a card, and write its page."""
    if options.json:
        print(card.to_json())
    if options.out or not options.json:
        card.save(path := options.out or "card.html")
    if not options.json:
        print(card)
        print(f"page: {path}")
    return 0
