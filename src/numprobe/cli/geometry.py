"""Show how the vectors of numbers lie: waves over the number line, remainders, distances, and the number line itself.

examples:
  numprobe geometry glove-6b-50d --range 0:999
  numprobe geometry smollm2-135m --range 0:999 --layer 12 --json
  numprobe geometry smollm2-135m --range 0:999 --plot lines.html

The picture shows every layer of a model that has layers, unless --layer names one. A spike in the spectrum is not
knowledge: κ, beside it, tells whether a linear classifier can read the remainder from the vectors of held-out numbers.
"""

from numprobe.cli._options import FORM, JSON, OFFLINE, WEIGHTS, Options, option
from numprobe.cli._results import print_json
from numprobe.progress import FileProgress

ARGUMENTS = [
    option("MODEL", "what to look at, as name:setting=value,…"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:999"),
    option("--layer N", "the layer of the model: a number, last or all (default: the model's own)"),
    FORM,
    option("--plot FILE", "draw the number line in two dimensions, layer by layer: .svg, .png, .pdf or .html"),
    OFFLINE,
    *WEIGHTS,
    JSON,
]


def execute(options: Options) -> None:
    from numprobe.api import geometry

    if options.plot:
        from numprobe.reports.charts import chart_format, save_chart
        from numprobe.reports.lines import number_line_chart

        chart_format(options.plot)
    asked = {"numbers": options.range, "layer": options.layer, "form": options.form}
    with FileProgress():
        found = geometry(options.model, **asked)
        if options.plot:
            save_chart(number_line_chart(options.model, **asked), options.plot)
    layers = found if isinstance(found, list) else [found]
    if options.json:
        print_json({"layers": [own.as_dict() for own in layers]} if isinstance(found, list) else found.as_dict())
        return
    for number, own in enumerate(layers):
        print(f"{options.model}{f', layer {number}' if isinstance(found, list) else ''}, {options.range}\n{own}\n")
