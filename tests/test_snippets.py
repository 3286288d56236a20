"""Every command in the documentation can be parsed, and the first steps run."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from numprobe.cli._options import parse
from numprobe.embedders.sources import local_file
from numprobe.files import cache_folder
from tests.embedders.test_endpoint import Server, server, told  # noqa: F401

CACHE = cache_folder()

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
RUN = ("start.md", "howto.md")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each numprobe command, without what the shell does with its output."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r" && | \| | > ", re.sub(r"(^|\s)#.*", "", line)):
                words = shlex.split(re.sub(r"^\s*(\w+=\S+ )*", "", re.sub(r"\$\w+", "1", part)))
                if words[:1] == ["numprobe"]:
                    yield words[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_can_be_parsed(page: Path) -> None:
    for words in commands(page):
        depth = 2 if words[0] == "drop" else 1
        if words[:1] != ["--version"]:
            parse(import_module(".".join(("numprobe.cli", *words[:depth]))), "numprobe", words[depth:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_can_be_compiled_and_the_first_steps_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for block in blocks(page, "python"):
        code = compile(block, page.name, "exec")
        if page.name in RUN:
            monkeypatch.chdir(tmp_path)
            exec(code, {})


@pytest.mark.slow
def test_the_commands_of_the_first_steps_run(tmp_path: Path) -> None:
    (page,) = (page for page in PAGES if page.name == "start.md")
    for words in commands(page):
        subprocess.run([sys.executable, "-m", "numprobe", *words], cwd=tmp_path, check=True, timeout=900)
    assert (tmp_path / "card.html").exists()


@pytest.fixture(scope="module")
def belongings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the how-to pages speak of: models, vectors, a store."""
    from sentence_transformers import SentenceTransformer, models
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("belongings")
    weights = Path(local_file("package:minilm-l6/config.json")).parent
    words = models.Transformer(str(weights))
    pooled = models.Pooling(words.get_word_embedding_dimension())
    for name in ("my-model", "my-sentence-transformer"):
        SentenceTransformer(modules=[words, pooled]).save(str(folder / name))
    tokenizer = AutoTokenizer.from_pretrained(weights)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(folder / "my-llm")
    tokenizer.save_pretrained(folder / "my-llm")
    vectors = [[number / 100, number % 10] for number in range(1000)]
    pandas.DataFrame({"text": [str(n) for n in range(1000)], "vector": vectors}).to_parquet(folder / "vectors.parquet")
    return folder


def numbered(question: Any) -> Any:
    """The answer of a service whose vectors are random, but the same for the same text."""
    seeds = [[*text.encode()] for text in question["input"]]
    vectors = [np.random.default_rng(seed).normal(size=16).tolist() for seed in seeds]
    return {"data": [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]}


def how_to() -> list[list[str]]:
    """The commands of the how-to pages but for whole cards, which take minutes each."""
    named = (page for page in PAGES if page.name in ("howto.md", "card.md"))
    return [words for page in named for words in commands(page) if "card" not in words or "--quick" in words]


@pytest.mark.slow
@pytest.mark.parametrize("words", how_to(), ids=" ".join)
def test_the_commands_of_the_how_to_pages_run(words: list[str], belongings: Path, server: Server) -> None:  # noqa: F811
    server.script = [told(numbered)]
    if "answers.json" in words:
        questions = json.loads((belongings / "questions.json").read_text(encoding="utf-8"))
        asked = (pair["query_id"] for passage in questions.values() for pair in passage["qa_pairs"])
        (belongings / "answers.json").write_text(json.dumps(dict.fromkeys(asked, "1")), encoding="utf-8")
    given = [word.replace("http://localhost:8080/v1", server.url) for word in words]
    weights = {**os.environ, "NUMPROBE_CACHE": str(CACHE)}
    ran = subprocess.run(
        [sys.executable, "-m", "numprobe", *given],
        cwd=belongings,
        env=weights,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert ran.returncode == 0, ran.stderr
    if "--json" in words:
        (belongings / "mine.json").write_text(ran.stdout, encoding="utf-8")
