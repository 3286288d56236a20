"""Rules of the house that neither ruff nor mypy knows."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numprobe
from numprobe.embedders import EMBEDDERS
from numprobe.metrics import METRICS
from numprobe.numbers import FORMS
from numprobe.probes import PROBES
from numprobe.tasks import TASKS

SOURCE = Path(numprobe.__file__).parent

PAPER = ("analysis/findings.py", "analysis/paper.py")
"""The paper's data and findings name the paper's parts: that is their subject."""

HOMONYMS = {
    "analysis/inspection.py": "the vectors nearest to a number's",
    "drop/floors.py": "what a reader sees of numbers",
    "drop/generator/floors.py": "what a reader sees of numbers, and a fact's value",
    "drop/generator/questions.py": "kinds of question, and a fact's value",
    "drop/generator/passages.py": "a fact's value",
    "drop/models.py": "models that read passages",
    "drop/naqanet/files.py": "models that ship",
    "drop/studies.py": "a setting of a network",
    "embedders/word_vectors/__init__.py": "formats of files",
    "numbers/facts.py": "a column",
    "numbers/ranges.py": "what a sample is uniform in",
    "reports/templates.py": "an argument of json.dumps",
    "tasks/decoding.py": "what to answer",
    "tasks/retrieval.py": "conditions of a query",
    "tasks/wordings.py": "conditions of a query",
}
"""Modules in which a part's name means something else."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_no_two_public_classes_or_functions_share_a_name() -> None:
    homes = defaultdict(list)
    for module, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    shared = {name: modules for name, modules in homes.items() if len(modules) > 1}
    commands = shared.pop("execute")  # what every command does
    assert all(module.startswith("cli/") for module in commands)
    assert shared == {}


def asked(tree: ast.Module) -> Iterator[ast.expr]:
    """What is compared, matched, looked up, or the key of a table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            yield from (one for one in ast.walk(node) if isinstance(one, ast.Constant))
        elif isinstance(node, ast.Subscript):
            yield node.slice
        elif isinstance(node, ast.Dict):
            yield from filter(None, node.keys)


def test_no_module_asks_for_the_name_of_a_part() -> None:
    names = {name for registry in (EMBEDDERS, TASKS, PROBES, FORMS, METRICS) for name in registry}
    found = [
        f"{module}, line {one.lineno}: {one.value!r}"
        for module, tree in trees()
        if module not in (*PAPER, *HOMONYMS)
        for one in asked(tree)
        if isinstance(one, ast.Constant) and one.value in names
    ]
    assert found == []
