"""Compare generated passages with real ones: speed, length, vocabulary and types of answers.

python benchmarks/drop_generator.py [drop_dataset_dev.json]
"""

import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from numprobe.drop import data, formats, question_types
from numprobe.drop.generator import GeneratorSettings, generate_one

QUESTIONS = 100_000


def figures(passages: Sequence[data.Passage]) -> dict[str, float]:
    questions = [question for passage in passages for question in passage.questions]
    lengths = [len(passage.text.split()) for passage in passages]
    types = Counter(question_types.answer_type(question.answer) for question in questions)
    return {
        "passages": len(passages),
        "questions": len(questions),
        "questions per passage": len(questions) / len(passages),
        "words per passage": statistics.mean(lengths),
        "… deviation": statistics.pstdev(lengths),
        "… shortest": min(lengths),
        "… longest": max(lengths),
        "numbers in digits per passage": statistics.mean(len(re.findall(r"\d[\d,.]*", p.text)) for p in passages),
        "words per question": statistics.mean(len(question.text.split()) for question in questions),
        "vocabulary of passages": vocabulary(passage.text for passage in passages),
        "vocabulary of questions": vocabulary(question.text for question in questions),
        "different openings of questions": len({tuple(q.text.lower().split()[:3]) for q in questions}),
        **{f"{name} answers in %": 100 * types[name] / len(questions) for name in question_types.ANSWER_TYPES},
    }


def vocabulary(texts: Iterable[str]) -> int:
    """Count the distinct words with letters, in lower case."""
    return len({word for text in texts for word in re.findall(r"[^\W\d]+", text.lower())})


def main(files: Sequence[str]) -> None:
    start = time.perf_counter(), time.process_time()
    made = [generate_one(GeneratorSettings(), number) for number in range(QUESTIONS // GeneratorSettings.questions)]
    wall, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    asked = sum(len(one.queries) for one in made)
    print(f"{asked:,} questions in {wall:.1f} s ({processor:.1f} s of one processor)")
    kinds = Counter(query.kind for one in made for query in one.queries.values())
    print(", ".join(f"{kind} {100 * count / asked:.1f} %" for kind, count in kinds.most_common()))

    columns = {file: formats.read_passages(file) for file in files}
    size = min(map(len, columns.values()), default=len(made))
    # A vocabulary grows with the text, so compare equal numbers of passages.
    columns = {"generated": [one.passage for one in islice(made, size)], **columns}
    rows = {name: figures(passages) for name, passages in columns.items()}
    print(f"{'':32}" + "".join(f"{name[-16:]:>18}" for name in rows))
    for name in rows["generated"]:
        print(f"{name:32}" + "".join(f"{row[name]:18,.1f}" for row in rows.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
