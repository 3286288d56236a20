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

from numprobe.analysis.crossing import cross_table, crossed, share, weights
from numprobe.cli._options import INSIDE, JSON, LOADING, Options, option
from numprobe.cli._results import print_json
from numprobe.experiments import Cell
from numprobe.experiments.knowing import known_and_said
from numprobe.progress import FileProgress

ARGUMENTS = [
    *INSIDE,
    option("--train N", "training items per shuffle that the probe of the states learns from", 400),
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    cell = Cell.make(options.model, options.task, options.range, options.form, options.prompt, seeds=options.seeds)
    with FileProgress():
        found = known_and_said(cell, options.train, device=options.device, first=options.first)
    tables = {name: crossed(knows, found.says, found.numbers) for name, knows in found.best.items()}
    drawn = weights(found.numbers)
    phrasings = {template: share(right, drawn).inside for template, right in found.phrasings.items()}
    if options.json:
        print_json(
            {
                "cell": cell.as_dict(),
                "first": options.first,
                "items": len(found.says),
                "unreadable": found.unreadable,
                "phrasings": {template: asdict(own) for template, own in phrasings.items()},
                "chosen": found.chosen,
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
    for template, own in phrasings.items():
        times = found.chosen.count(template)
        chosen = f", chosen by {times} of {cell.seeds} shuffles" if times else ""
        print(f"asked as {template!r}: {own} right{chosen}")
    rows = [(f"{name}, layer {' '.join(map(str, found.layers[name]))}", table) for name, table in tables.items()]
    print(cross_table(rows))
