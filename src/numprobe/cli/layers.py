"""Probe every layer of a model with every family of probes, beside what the text alone gives away.

examples:
  numprobe layers glove-6b-50d --range 0:999 --solved
  numprobe layers smollm2-135m --range 1:1999 --plot layers.svg
  numprobe layers smollm2-135m --range 1:1999 --probe circular:base=5 --probe linear --json

Each family looks for numbers in another shape: a line, a logarithm, a circle per digit, a helix, sinusoids, or any that
a small network finds. --solved leaves out the families that are trained, and takes a fraction of the time.
"""

from numprobe.cli._options import FORM, JSON, RUNNING, TABLE, WORKERS, Options, option, repeated
from numprobe.cli._results import print_json, print_tables, run_cells
from numprobe.embedders import EMBEDDERS, every_layer
from numprobe.embedders.strings import strings_for
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.numbers import Range
from numprobe.probes import families

ARGUMENTS = [
    option("MODEL", "what to probe, as name:setting=value,…"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:999"),
    FORM,
    repeated("--probe NAME", "use only this probe, with its settings"),
    option("--solved", "leave out the probes that are trained"),
    option("--seeds N", "number of shuffles", 5),
    option("--alone", "run no string baselines"),
    option("--plot FILE", "also draw the scores: .svg, .png, .pdf or .html"),
    *TABLE,
    WORKERS,
    *RUNNING,
    JSON,
]

MODULUS = 10
"""The remainder that is asked for is the last digit."""


def execute(options: Options) -> int:
    from numprobe.analysis.geometry import placed
    from numprobe.analysis.shapes import explained
    from numprobe.reports.layers import Sweep

    if options.plot:
        from numprobe.reports.charts import chart_format, save_chart

        chart_format(options.plot)
    model = every_layer(options.model)
    asked = [("decoding", probe) for probe in options.probe or families(options.solved)]
    asked += [] if options.probe else [(f"residue:modulus={MODULUS}", "")]

    def cells(embedder: str) -> list[Cell]:
        """One cell per family. One that can't tell these numbers is left out, unless it was asked for."""
        made, problems = [], []
        for task, probe in asked:
            try:
                made.append(
                    Cell.make(embedder, task, options.range, options.form, probe, "", options.seeds, "restrict")
                )
            except NumprobeError as error:
                problems.append(error)
        if problems and (options.probe or not made):
            raise problems[0]
        return made

    results, code = run_cells(cells(model), options)
    if not results:
        return code
    strings = () if options.alone else strings_for([Range.parse(options.range)])
    baselines = run_cells([cell for name in strings for cell in cells(name)], options)[0]
    found = placed(EMBEDDERS.build(model), model, options.range, options.form)
    sweep = Sweep(model, results, baselines, explained(found))
    if options.plot:
        save_chart(sweep.chart(), options.plot)
    print_json(sweep.documents()) if options.json else print_tables([sweep.table()], options.format, options.out)
    return code
