"""Ask a model the same questions before and after the numbers are changed.

examples:
  numprobe drop stress --model smollm2-135m --change add:low=1,high=20 --change multiply:low=11,high=100
"""

from dataclasses import asdict

from numprobe.cli._options import JSON, OFFLINE, SEED, Options, repeated
from numprobe.cli._results import print_json
from numprobe.cli.drop._shared import ASKED, answers, passages_of
from numprobe.drop.changes import STRESS_TESTS
from numprobe.drop.data import count_questions, sample_questions
from numprobe.drop.models import load_model
from numprobe.drop.stress import ORIGINAL, compare_texts, stress_texts

ARGUMENTS = [*ASKED, repeated("--change CHANGE", "a change (default: the paper's six)"), OFFLINE, SEED, JSON]


def execute(options: Options) -> None:
    model, passages = load_model(options.model), passages_of(options)
    texts = stress_texts(options.change or STRESS_TESTS, passages, options.seed)
    left_out = count_questions(passages) - count_questions(texts[ORIGINAL])
    if options.most is not None:
        texts = {name: sample_questions(text, options.most, options.seed) for name, text in texts.items()}
    parts = compare_texts(texts, {name: answers(model, text, name) for name, text in texts.items()})
    if options.json:
        scores = {part: {name: asdict(row) for name, row in rows.items()} for part, rows in parts.items()}
        print_json({"model": options.model, "seed": options.seed, "left_out": left_out, **scores})
        return
    for part, rows in parts.items():
        print(f"{part:32}{'count':>7}{'EM':>7}{'F1':>7}{'ΔEM':>8}{'ΔF1':>8}")
        for name, row in rows.items():
            change = f"{row.em_difference:+8.1f}{row.f1_difference:+8.1f} ± {row.f1_error:.1f}"
            print(f"  {name:30}{row.count:7,}{row.em:7.1f}{row.f1:7.1f}{'' if name == ORIGINAL else change}")
    asked = f"{left_out:,} of {count_questions(passages):,} questions"
    print(f"{asked} are left out, because their answers are unknown after some change")
