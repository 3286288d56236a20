"""For other harnesses: suites as task files of lm-evaluation-harness, and results as MTEB's TaskResult."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numprobe.errors import NumprobeError
from numprobe.experiments import Cell, Result
from numprobe.experiments.selection import Selection
from numprobe.files.writing import write_whole
from numprobe.metrics import Determination
from numprobe.probes import Dataset
from numprobe.probes.prompt import Prompt, right_answer
from numprobe.probes.replies import PATTERN, read_number

WORDS = r"^\s*(.*?)[\s.,;!]*$"
"""How to read an answer that is no number in digits."""


@dataclass(frozen=True)
class AnyModel:
    """Stands for whichever model a harness runs."""

    name: str = "any-model"


def harness_tasks(cell: Cell, folder: Path) -> list[Path]:
    """Write a cell with probe `prompt` for lm-evaluation-harness: one task per phrasing, with its data beside it.

    The data are the test items of every shuffle, each with the examples before it. The task files name their data by
    the absolute path, since the harness looks for it from wherever it runs.
    """
    prompt, task = cell.parts.probe, cell.parts.task
    if not isinstance(prompt, Prompt):
        raise NumprobeError(f"only questions in words can be exported for lm-eval, and probe '{cell.probe}' asks none")
    made = []
    for template in prompt.phrasings(task):
        number = task.phrasings.index(template) + 1 if template in task.phrasings else "own"
        name = _slug(f"numprobe {cell.task} {cell.range} {cell.form} {prompt.shots} shot {number}")
        rows = list(_rows(cell, prompt, template))
        in_digits = all(read_number(row["answer"]) is not None for row in rows)
        data = (folder / f"{name}.jsonl").absolute()
        config = _config(name, data, template, prompt, in_digits)
        write_whole(data, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        write_whole(folder / f"{name}.yaml", json.dumps(config, indent=2, ensure_ascii=False) + "\n")  # JSON is YAML
        made.append(folder / f"{name}.yaml")
    return made


def _rows(cell: Cell, prompt: Prompt, template: str) -> Iterator[dict[str, Any]]:
    task, selection = cell.parts.task, Selection(cell)
    for dataset in map(Dataset, range(cell.seeds)):
        test = selection.word("test", dataset)
        dialogues = prompt.dialogues(task, template, test, prompt.examples(selection.word, dataset))
        for at, dialogue in enumerate(dialogues):
            answer = right_answer(task, test, at)
            yield {"shuffle": dataset.seed, "numbers": test.words(at), "text": dialogue.text, "answer": answer}


def _config(name: str, data: Path, template: str, prompt: Prompt, in_digits: bool) -> dict[str, Any]:
    pattern = PATTERN if in_digits else WORDS
    return {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{text}}",
        "doc_to_target": "{{answer}}",
        "target_delimiter": " ",
        "generation_kwargs": {"until": ["\n"], "do_sample": False, "max_gen_toks": prompt.pieces},
        "filter_list": [
            {
                "name": "strict",
                "filter": [{"function": "regex", "regex_pattern": pattern}, {"function": "take_first"}],
            }
        ],
        "metric_list": [
            {
                "metric": "exact_match",
                "aggregation": "mean",
                "higher_is_better": True,
                "ignore_case": True,
                "regexes_to_ignore": [","],
            }
        ],
        "num_fewshot": 0,  # the examples are part of the text
        "metadata": {"version": 1.0, "phrasing": template, "shots": prompt.shots},
    }


def mteb_results(results: Sequence[Result], folder: Path) -> list[Path]:
    """Write results as MTEB keeps them: a folder per model and revision, and in it a file per task.

    The main score is one of which more is better: the metric's own, or R². All other scores stand beside it.
    """
    made = []
    for result in results:
        model = folder / _slug(result.cell.embedder) / (_slug(str(result.made.get("revision", ""))) or "no_revision")
        meta = {"name": f"numprobe/{_slug(result.cell.embedder)}", "revision": result.made.get("revision") or None}
        document = mteb_document(result)
        write_whole(model / "model_meta.json", json.dumps(meta, indent=2) + "\n")
        write_whole(model / f"{document['task_name']}.json", json.dumps(document, indent=2) + "\n")
        made.append(model / f"{document['task_name']}.json")
    return made


def mteb_document(result: Result) -> dict[str, Any]:
    """One result in the form of MTEB's TaskResult."""
    means = {name: sum(scores) / len(scores) for name, scores in result.more.items()} | {result.metric: result.mean}
    main = result.metric if result.measure.higher_is_better else Determination.name
    if main not in means:
        raise NumprobeError(f"{result.cell} has no score of which more is better: run it again")
    cell = result.cell
    fields = (cell.task, cell.range, cell.form, cell.probe, cell.test_range, cell.hash[:8])
    name = "-".join(filter(None, fields))  # the hash tells apart what differs in other settings
    scores = {"main_score": means[main], **means, "scores_per_shuffle": result.scores, "std": result.std}
    return {
        "dataset_revision": cell.hash,
        "task_name": "Numprobe_" + _slug(name),
        "mteb_version": "",
        "scores": {"test": [{**scores, "hf_subset": "default", "languages": ["eng-Latn"]}]},
        "evaluation_time": result.seconds,
        "kg_co2_emissions": None,
    }


def _slug(text: str) -> str:
    """A name for files and tasks.

    >>> _slug("addition 0:99, digits")
    'addition_0_99_digits'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", text).strip("_")
