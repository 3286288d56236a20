"""Set what a language model knows against what it says: a probe of its states, and its own answers to the same items.

examples:
  numprobe says smollm2-135m --task addition --range 0:99
  numprobe says smollm2-135m --task list-maximum --range 0:99 --prompt prompt:shots=4,phrasing=1 --json
  numprobe says smollm2-135m --task decoding --form words --range 0:999

The probe reads the states of every layer inside the prompt that the model answers, at the numbers or at its end, and
beside it the states of the numbers on their own. The layer is chosen on development numbers. Both are right if the
number is exactly right. Intervals know that items share numbers.
"""

from dataclasses import asdict

from numprobe.analysis.crossing import cross_table, crossed
from numprobe.cli._options import FORM, JSON, LOADING, Options, option
from numprobe.cli._results import print_json
from numprobe.experiments import Cell
from numprobe.experiments.knowing import known_and_said
from numprobe.progress import FileProgress

ARGUMENTS = [
    option("MODEL", "a causal language model on this machine, as name:setting=value,…"),
    option("--task NAME", "what to ask", "addition"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:99"),
    FORM,
    option("--prompt NAME", "how to ask in words, as prompt:setting=value,…", "prompt"),
    option("--seeds N", "number of shuffles", 2),
    option("--train N", "training items per shuffle that the probe of the states learns from", 400),
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    cell = Cell.make(options.model, options.task, options.range, options.form, options.prompt, seeds=options.seeds)
    with FileProgress():
        found = known_and_said(cell, options.train, device=options.device)
    tables = {name: crossed(knows, found.says, found.numbers) for name, knows in found.best.items()}
    if options.json:
        print_json(
            {
                "cell": cell.as_dict(),
                "items": len(found.says),
                "unreadable": found.unreadable,
                "phrasings": found.phrasings,
                "tables": {name: {key: asdict(own) for key, own in table.items()} for name, table in tables.items()},
                "layers": {
                    name: {"chosen": found.layers[name], "knows": knows.mean(axis=1).tolist()}
                    for name, knows in found.knows.items()
                },
                "asking": found.counted,
            }
        )
        return
    print(f"{cell}, {len(found.says)} items, {100 * found.unreadable:.0f} % of the answers unreadable")
    for phrasing in dict.fromkeys(found.phrasings):
        print(f"asked as {phrasing!r}")
    rows = [(f"{name}, layer {' '.join(map(str, found.layers[name]))}", table) for name, table in tables.items()]
    print(cross_table(rows))
