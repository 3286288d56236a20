"""Export for other harnesses: questions in words for lm-evaluation-harness, results for MTEB.

examples:
  numprobe export lm-eval --task addition --range 0:99 --prompt prompt:shots=4 --out tasks
  numprobe export lm-eval --task decoding --form words --range 0:999 --out tasks
  numprobe export mteb --out results
  numprobe export mteb integers --published --out results

lm-eval writes a task per phrasing with its data; run them with lm_eval run --include_path DIR --tasks NAME. mteb writes
the results of the store, or of some suites, as TaskResult files.
"""

from pathlib import Path

from numprobe.cli._options import FORM, KEPT, Options, option, out
from numprobe.cli._results import found, shelf, suites_of
from numprobe.errors import one_of
from numprobe.experiments import Cell
from numprobe.reports.exports import AnyModel, harness_tasks, mteb_results

ARGUMENTS = [
    option("KIND", "lm-eval or mteb"),
    option("SUITES", "mteb: the suites whose results to write (default: all results)", None, nargs="*"),
    option("--task NAME", "lm-eval: what to ask", "addition"),
    option("--range LOW:HIGH", "lm-eval: the numbers, both ends included", "0:99"),
    FORM,
    option("--prompt NAME", "lm-eval: how to ask, as prompt:setting=value,…", "prompt"),
    option("--seeds N", "lm-eval: number of shuffles", 5),
    *KEPT,
    out("DIR", "folder for the files"),
]


def execute(options: Options) -> None:
    one_of("harness", options.kind, ("lm-eval", "mteb"))
    folder = Path(options.out)
    if options.kind == "lm-eval":
        asked = (options.task, options.range, options.form, options.prompt)
        written = harness_tasks(Cell.make(AnyModel(), *asked, seeds=options.seeds), folder)
    else:
        cells = [cell for suite in suites_of(options).values() for cell in suite.cells]
        written = mteb_results(found(options, shelf(options), cells, everything=not cells), folder)
    print(
        f"{folder}: {len(written):,} {'tasks' if options.kind == 'lm-eval' else 'results'}, the first {written[0].name}"
    )
