"""Erase what a language model holds about a number, inside the prompt, and watch its answers.

examples:
  numprobe erase smollm2-135m --task addition --range 0:99 --layer 5 --prompt prompt:shots=4,most_items=50
  numprobe erase smollm2-135m --task decoding --form words --range 0:999 --layer 10 --json

Value, logarithm and digits are erased (LEACE) after one layer at every piece of an item's numbers. Beside each stands a
random subspace of the same rank, whose changes are as long: only what that does not do is the concept's.
"""

from dataclasses import asdict
from typing import Any

from numprobe.analysis.crossing import Share, share, weights
from numprobe.cli._options import FORM, JSON, LOADING, Options, option
from numprobe.cli._results import print_json
from numprobe.experiments import Cell
from numprobe.experiments.erasing import erasures
from numprobe.progress import FileProgress

ARGUMENTS = [
    option("MODEL", "a causal language model on this machine, as name:setting=value,…"),
    option("--task NAME", "what to ask", "addition"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:99"),
    FORM,
    option("--prompt NAME", "how to ask in words; a phrasing that is not chosen is the task's first", "prompt"),
    option("--layer N", "after which layer to erase; 0 is the input embeddings", 1),
    option("--train N", "training items that the erasure is fitted on", 200),
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    cell = Cell.make(options.model, options.task, options.range, options.form, options.prompt, seeds=1)
    with FileProgress():
        found = erasures(cell, options.layer, options.train, options.device)
    times = weights(found.numbers)
    before = share(found.right, times)
    rows: list[dict[str, Any]] = [
        {
            "concept": one.concept,
            "rank": one.rank,
            "correlation": one.correlation,
            "determination": one.determination,
            "changed": one.moved,
            "changed_random": one.moved_random,
            "right": share(one.right, times),
            "right_random": share(one.right_random, times),
            "lost_beyond_random": share(one.right_random - one.right, times),
        }
        for one in found.each
    ]
    if options.json:
        written = [{key: asdict(own) if isinstance(own, Share) else own for key, own in row.items()} for row in rows]
        about = {
            "layer": options.layer,
            "items": len(found.right),
            "right": asdict(before),
            "determination": found.determination,
        }
        print_json({"cell": cell.as_dict(), **about, "erased": written})
        return
    print(f"{cell}, layer {options.layer}: {len(found.right)} items, {before} right, R² {found.determination:.2f}")
    for row in rows:
        print(
            f"without {row['concept']} (rank {row['rank']}): {row['right']} right, {row['changed']:.2f} changed, "
            f"R² {row['determination']:.2f}; random: {row['right_random']} right, {row['changed_random']:.2f} changed"
        )
