"""Train on one way of writing numbers and test on another, all against all.

examples:
  numprobe transfer minilm-l6 --forms digits words separators scientific words:language=fr --range 0:999
  numprobe transfer smollm2-135m:layer=best --templates "It costs {number} dollars." "The year {number}." --range 0:999
  numprobe transfer minilm-l6 mpnet-base digit-one-hots --forms digits words --range 1:999 --plot transfer.svg

Test numbers are held out in every cell, also on the diagonal, where nothing is transferred. Errors are relative to
guessing (1). The rank correlation beside them is what carries over if all answers in the other form are off by the same
amount. --plot draws the rank correlation; --metric shows and draws another metric alone.
"""

from numprobe.cli._options import JSON, RUNNING, TABLE, WORKERS, Options, option
from numprobe.cli._results import print_json, print_tables, rescored, run_cells
from numprobe.experiments.transfer import Manner, transfer_cells
from numprobe.reports.tables import Table
from numprobe.reports.transfer import transfer_chart, transfer_table

ARGUMENTS = [
    option("EMBEDDERS", "what to probe, each as name:setting=value,…", None, nargs="+", metavar="EMBEDDER"),
    option("--forms NAME", "how numbers are written, such as digits words", None, nargs="+"),
    option("--templates TEXT", "sentences with {number} in them", None, nargs="+"),
    option("--task NAME", "what to ask", "decoding"),
    option("--range LOW:HIGH", "the numbers, both ends included", "0:999"),
    option("--probe NAME", "what answers", "linear"),
    option(
        "--seeds N", "number of shuffles (default: 5, or 20 for a probe with a closed-form solution)", None, type=int
    ),
    option("--metric NAME", "what to show (default: for values normalised-error and spearman, else the task's own)"),
    option("--plot FILE", "also draw the matrix: .svg, .png, .pdf or .html"),
    *TABLE,
    WORKERS,
    *RUNNING,
    JSON,
]


def execute(options: Options) -> int:
    if options.plot:
        from numprobe.reports.charts import chart_format, save_chart

        chart_format(options.plot)  # before the work
    manners = [Manner(form, template) for form in options.forms or [""] for template in options.templates or [""]]
    asked = {field: getattr(options, field) for field in ("task", "range", "probe", "seeds")}
    cells = {name: transfer_cells(manners, embedder=name, **asked) for name in dict.fromkeys(options.embedders)}
    measure = next(iter(cells[options.embedders[0]].values())).parts.metric
    metrics = [options.metric] if options.metric else [measure.across or measure.name, measure.in_order]
    results, code = run_cells([cell for own in cells.values() for cell in own.values()], options)
    tables: dict[str, list[Table]] = {}
    for metric in filter(None, metrics):
        found = {result.cell: result for result in rescored(results, metric)}
        made = {name: {pair: found[cell] for pair, cell in own.items() if cell in found} for name, own in cells.items()}
        matrices = {name: matrix for name, matrix in made.items() if matrix}
        tables[metric] = [transfer_table(matrix) for matrix in matrices.values()]
    if options.plot and matrices:
        save_chart(transfer_chart(matrices), options.plot)
    if options.json:
        print_json([one for table in tables[metrics[0]] for one in table.documents])
    else:
        print_tables([table for each in tables.values() for table in each], options.format, options.out)
    return code
