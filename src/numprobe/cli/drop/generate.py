"""Write passages and questions in the style of DROP, with exact answers.

examples:
  numprobe drop generate --passages 200 --seed 1 --range 1:999 --out questions.json
  numprobe drop generate --domain game --kind count --out games.json
"""

from numprobe.cli._options import SEED, Options, option, out, repeated
from numprobe.cli.drop._shared import write_and_tell
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.numbers import Range

ARGUMENTS = [
    option("--passages N", "number of passages", 100),
    option("--questions N", "largest number of questions per passage", 16),
    repeated("--domain NAME", "game, census, history or economy"),
    repeated("--kind NAME", "kind of question, such as count"),
    option("--range LOW:HIGH", "range of the quantities (default: depends on the domain)"),
    option("--narrow SHARE", "share of the measures whose values all begin alike", GeneratorSettings.narrow),
    option("--words SHARE", "share of small numbers that are written as words", 0.2),
    option("--facts N", "approximate number of facts per passage", 11),
    option("--distractors N", "number of other sentences per passage", 4),
    SEED,
    out("FILE", "file to write"),
]


def execute(options: Options) -> None:
    settings = GeneratorSettings(
        passages=options.passages,
        questions=options.questions,
        domains=tuple(options.domain or GeneratorSettings.domains),
        kinds=tuple(options.kind or GeneratorSettings.kinds),
        range=Range.parse(options.range) if options.range else None,
        narrow=options.narrow,
        words=options.words,
        facts=options.facts,
        distractors=options.distractors,
        seed=options.seed,
    )
    write_and_tell(tuple(generate(settings)), options.out)
