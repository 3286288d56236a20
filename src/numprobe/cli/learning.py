"""Show how many numbers a probe needs to learn from: learning curves, and description length by online coding.

examples:
  numprobe learning glove-6b-50d minilm-l6 smollm2-135m:layer=12 --range 0:999 --probe linear --probe mlp
  numprobe learning digit-one-hots --range 0:999 --probe linear --json

The description length is the number of bits that tell all numbers of the range to someone who has their vectors: each
block of numbers is coded with what the probe has learned from the blocks before it. Little is good, and so is a probe
that learns early.
"""

from numprobe.cli._options import FORM, JSON, LOADING, TABLE, Options, option, repeated
from numprobe.cli._results import print_json, print_tables
from numprobe.errors import NumprobeError
from numprobe.progress import counted
from numprobe.tasks import Answer

ARGUMENTS = [
    option("EMBEDDERS", "what to probe, as name:setting=value,…", None, nargs="+", metavar="EMBEDDER"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:999"),
    FORM,
    repeated("--probe NAME", "who learns, with its settings (default: linear)"),
    option("--seeds N", "number of shuffles", 5),
    option("--metric NAME", "what curves are in", "normalised-error"),
    option("--plot FILE", "also draw the curves: .svg, .png, .pdf or .html"),
    *TABLE,
    *LOADING,
    JSON,
]


def execute(options: Options) -> None:
    from numprobe.analysis.description import description_length
    from numprobe.experiments import Cell
    from numprobe.experiments.learning import Schooling
    from numprobe.metrics import METRICS
    from numprobe.reports.curves import Curve, curve_chart, curve_table

    if options.plot:
        from numprobe.reports.charts import chart_format, save_chart

        chart_format(options.plot)
    metric = METRICS.build(options.metric)
    if metric.answer is not Answer.VALUE:
        raise NumprobeError(f"metric '{options.metric}' scores a {metric.answer.value}, and curves are about values")
    schoolings = [
        Schooling(
            Cell.make(name, "decoding", options.range, options.form, probe, "", options.seeds, "restrict"),
            options.device,
        )
        for name in options.embedders
        for probe in options.probe or ("linear",)
    ]

    def measured(schooling: Schooling) -> Curve:
        points = {
            count: [metric.score(*row) for row in zip(own.given, own.truths, own.guesses, strict=True)]
            for count, own in schooling.curve()
        }
        return Curve(schooling.cell, metric, points, description_length(schooling))

    curves = list(counted(map(measured, schoolings), "learning curves", len(schoolings)))
    if options.plot:
        save_chart(curve_chart(curves), options.plot)
    if options.json:
        print_json([curve.as_dict() for curve in curves])
    else:
        print_tables([curve_table(curves)], options.format, options.out)
