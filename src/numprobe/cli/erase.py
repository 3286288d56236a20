"""Change what a language model holds about a number, inside the prompt, and watch its answers.

examples:
  numprobe erase smollm2-135m --task addition --range 0:99 --layer 5 --prompt prompt:shots=4,most_items=50
  numprobe erase smollm2-135m --task decoding --form words --range 0:999 --layer 10 --json

Value, logarithm and digits are erased (LEACE) after one layer at every piece of an item's numbers. One digit of the
first number is turned to the other side of the circle of digits, so that 2 becomes 7, and the first number is pushed
along the direction of the value. Beside each stand random changes of the same rank and length: only what they don't do
is the concept's.
"""

from dataclasses import asdict
from typing import Any

from numprobe.analysis.crossing import Share, share, weights
from numprobe.cli._options import INSIDE, JSON, LOADING, Options, option
from numprobe.cli._results import print_json
from numprobe.experiments import Cell
from numprobe.experiments.erasing import effects
from numprobe.progress import FileProgress

ARGUMENTS = [
    *INSIDE,
    option("--layer N", "after which layer to change states; 0 is the input embeddings", 1),
    option("--train N", "training items per shuffle that the changes are fitted on", 200),
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    cell = Cell.make(options.model, options.task, options.range, options.form, options.prompt, seeds=options.seeds)
    with FileProgress():
        found = effects(cell, options.layer, options.train, options.device, options.first)
    drawn = weights(found.numbers)
    before = share(found.right, drawn).inside
    rows: list[dict[str, Any]] = []
    for one in found.each:
        row: dict[str, Any] = {"change": one.change, "rank": one.rank}
        if one.correlation is not None:
            row |= {"correlation": one.correlation, "determination": one.determination}
        for name, (own, random) in one.measured.items():
            shares = {name: share(own, drawn), f"{name}_random": share(random, drawn)}
            row |= {key: one_share if name == "shift" else one_share.inside for key, one_share in shares.items()}
            row[f"{name}_beyond_random"] = share(own - random, drawn)
        rows.append(row)
    if options.json:
        written = [{key: asdict(own) if isinstance(own, Share) else own for key, own in row.items()} for row in rows]
        about = {
            "first": options.first,
            "layer": options.layer,
            "items": len(found.right),
            "phrasings": found.phrasings,
            "right": asdict(before),
            "determination": found.determination,
        }
        print_json({"cell": cell.as_dict(), **about, "changes": written})
        return
    print(f"{cell}, layer {options.layer}: {len(found.right)} items, {before} right, R² {found.determination:.2f}")
    for one, row in zip(found.each, rows, strict=True):
        left = f", R² {one.determination:.2f}" if one.determination is not None else ""
        print(f"{one.change} (rank {one.rank}{left})")
        for name in one.measured:
            print(f"  {name}: {row[name]}, random {row[f'{name}_random']}, beyond {row[f'{name}_beyond_random']}")
