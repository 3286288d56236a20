"""Numeric retrieval, numeration and nearest numbers: what is asked, and cases with a known answer."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import numprobe
from numprobe.errors import NumprobeError
from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.numbers import FORMS, generator
from numprobe.tasks import Pool
from numprobe.tasks.nearest import Nearest
from numprobe.tasks.retrieval import Retrieval
from numprobe.tasks.wordings import CONDITIONS, RELATIONS, read_corpus, wordings

DOCS = Path(__file__).parents[2] / "docs"
POOL = Pool(np.arange(100.0, 1000.0, 5), 900, part="test")


def drawn(condition: str, pool: Pool = POOL, **settings: Any) -> list[tuple[tuple[float, ...], list[float], float]]:
    """The thresholds, the documents and the right document of each item."""
    task = Retrieval(condition=condition, test_items=400, **settings)
    items = task.draw(pool, "test", generator(0, "retrieval"))
    found = []
    for row, target in zip(items.numbers, items.targets, strict=True):
        query, *documents = (items.mentions[at] for at in row)
        assert len({document.sentence for document in documents}) == 1
        values = [document.values[0] for document in documents]
        found.append((query.values, values, values[target - 1]))
    return found


def fits(condition: str, thresholds: tuple[float, ...], value: float) -> bool:
    low, high = thresholds[0], thresholds[-1]
    return {"less": value < low, "more": value > low, "between": low <= value <= high, "exact": value == low}[condition]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("documents", [2, 4])
def test_one_document_is_right_and_no_other(condition: str, documents: int) -> None:
    for thresholds, values, right in drawn(condition, documents=documents):
        assert [value for value in values if fits(condition, thresholds, value)] == [right]
        assert len(set(values)) == documents


def test_a_query_puts_the_condition_where_the_number_stands(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(
        "A lamp.{number}\nAn MP3 player for $1,250, used.\nIt weighs 5.\nThe 15 costs {number} dollars.\n"
    )
    (player, phone) = wordings(str(corpus), "new").domains
    assert player.documents == ("An MP3 player for ${number}, used.",)
    assert player.ask("from {number} to {number}") == "An MP3 player for from ${number} to ${number}, used."
    assert phone.ask("under {number}") == "The 15 costs under {number} dollars."


def test_the_corpus_of_the_documentation() -> None:
    templates, _ = read_corpus(str(DOCS / "products.txt"))
    assert len(templates) == 40
    assert "The MP3 player with a clip is yours for {number} dollars." in templates
    pan = wordings(str(DOCS / "products.txt"), "new").domains[0]
    assert pan.ask("under {number}") == "A cast-iron pan with a lid for under ${number}."


def test_whoever_always_prefers_the_smaller_number_guesses_on_either() -> None:
    found = drawn("either")
    assert np.mean([min(values) == right for _, values, right in found]) == 0.5
    assert all(sum(value < asked[0] for value in values) == 1 for asked, values, _ in found)


def test_less_and_more_ask_about_the_same_candidates() -> None:
    less, more = drawn("less"), drawn("more")
    assert [(asked, sorted(values)) for asked, values, _ in less] == [
        (asked, sorted(values)) for asked, values, _ in more
    ]
    assert all(lower != upper for (_, _, lower), (_, _, upper) in zip(less, more, strict=True))


@pytest.mark.parametrize("condition", ["less", "more"])
def test_the_right_document_is_as_near_to_the_threshold_as_the_others(condition: str) -> None:
    nearest = [min(values, key=lambda v: abs(v - asked[0])) == right for asked, values, right in drawn(condition)]
    assert np.mean(nearest) == pytest.approx(0.5, abs=0.08)


def test_neither_the_lower_document_nor_the_first_is_right_more_often() -> None:
    for condition in ("between", "exact"):
        found = drawn(condition)
        assert np.mean([min(values) == right for _, values, right in found]) == pytest.approx(0.5, abs=0.08)
        assert np.mean([values[0] == right for _, values, right in found]) == pytest.approx(0.5, abs=0.08)
        central = [min(values, key=lambda v: abs(v - 550)) == right for _, values, right in found]
        assert np.mean(central) == pytest.approx(0.5, abs=0.08)


def test_the_wording_of_the_test_is_held_out() -> None:
    texts = {}
    for part in ("fit", "development", "test"):
        pool = Pool(POOL.values, 900, part=part)
        texts[part] = {one.sentence for one in Retrieval().draw(pool, "test", generator(0)).mentions}
    assert not texts["test"] & (texts["fit"] | texts["development"])
    assert all(not set(RELATIONS["known"][one]) & set(RELATIONS["new"][one]) for one in CONDITIONS)


def signs_of(*parts: str) -> dict[str, float]:
    """Words that ask for less or for more."""
    return {
        words.partition(" {")[0]: sign
        for part in parts
        for condition, sign in (("less", -1.0), ("more", 1.0))
        for words in RELATIONS[part][condition]
    }


def test_only_negated_words_hold_known_words_for_the_opposite() -> None:
    def misled(part: str) -> list[str]:
        asked, known = signs_of(part), signs_of("known")
        return [said for said in asked if any(words in said and asked[said] != known[words] for words in known)]

    assert not misled("new")
    assert misled("negated") == list(signs_of("negated"))
    with pytest.raises(NumprobeError, match="negated needs condition less, more or either, not exact"):
        Retrieval(condition="exact", wording="negated")


def planted(texts: list[str]) -> np.ndarray:
    """Whether a text asks for less or for more, in words that are known, and its number."""
    signs = signs_of("known", "new")
    made = []
    for text in texts:
        said = max((words for words in signs if words in text), key=len, default="")
        made.append([signs.get(said, 0.0), float(re.findall(r"\d+", text)[0]) / 1000])
    return np.array(made, dtype=np.float32)


def score(embedder: Any, task: str, probe: str, numbers: str = "100:499") -> float:
    return run_cell(Cell.make(embedder, task, numbers, probe=probe, seeds=1)).mean


def test_a_learned_map_finds_what_is_planted() -> None:
    embedder = numprobe.embedders.FunctionEmbedder(planted)
    task = "retrieval:train_items=1000,test_items=300"
    assert score(embedder, task, "matching:most_steps=400") > 0.9
    assert score(embedder, f"{task},wording=negated", "matching:most_steps=400") < 0.1  # it does not see the "no"


@pytest.mark.slow
def test_without_the_query_less_and_more_are_a_guess() -> None:
    embedder = numprobe.embedders.FunctionEmbedder(planted)
    tasks = [f"retrieval:train_items=1000,test_items=300,condition={one}" for one in ("less", "more")]
    blind = [score(embedder, task, "matching:most_steps=200,query=hidden") for task in tasks]
    assert np.mean(blind) == pytest.approx(0.5, abs=0.05)


def test_shared_words_find_the_same_number_in_the_same_form_alone() -> None:
    task = "retrieval:condition=exact,test_items=300"
    assert score("bm25", task, "cosine") == 1.0
    assert score("bm25", f"{task},document_form=words", "cosine") == pytest.approx(0.5, abs=0.1)
    for condition in ("less", "more", "between"):  # all documents share the same words with the query
        assert score("bm25", f"retrieval:condition={condition},test_items=300", "cosine") == pytest.approx(0.5, abs=0.1)


@dataclass(frozen=True)
class TextReader:
    """Knows numbers where it reads whole texts."""

    reads_texts: bool = False

    @property
    def for_texts(self) -> Self:
        return replace(self, reads_texts=True)

    def encode(self, texts: list[str]) -> np.ndarray:
        angles = np.array([numprobe.numbers.read(text) / 500 if self.reads_texts else 0 for text in texts])
        return np.column_stack((np.cos(angles), np.sin(angles)))


def test_a_query_and_what_it_asks_for_are_read_as_whole_texts() -> None:
    assert score(TextReader(), "numeration:test_items=100", "cosine", "0:199") == 1.0


def test_numeration_by_cosine() -> None:
    def known(texts: list[str]) -> np.ndarray:
        values = np.array([numprobe.numbers.read(text) for text in texts]) / 500
        return np.column_stack((np.cos(values), np.sin(values)))

    assert score(numprobe.embedders.FunctionEmbedder(known), "numeration:test_items=300", "cosine", "0:199") == 1.0
    assert score("random", "numeration:test_items=300", "cosine", "0:199") == pytest.approx(0.2, abs=0.08)
    cell = Cell.make("random", "numeration:among=roman,candidates=3", "1:99")
    assert FORMS.build("roman") in cell.parts.task.forms


def test_one_number_is_nearest_and_cosines_of_a_number_line_find_it() -> None:
    values = np.array([0.0, 1, 2, 3, 5, 8, 13, 21])
    items = Nearest(test_items=300).draw(Pool(values, 22), "test", generator(0, "nearest"))
    apart = np.abs(values[items.numbers[:, 1:]] - values[items.numbers[:, :1]])
    assert all(sum(row == row.min()) == 1 for row in apart)
    assert (apart.argmin(axis=1) + 1 == items.targets).all()
    assert (apart > 0).all()

    def line(texts: list[str]) -> np.ndarray:
        angles = np.array(texts, dtype=float) / 700
        return np.column_stack((np.cos(angles), np.sin(angles)))

    assert score(numprobe.embedders.FunctionEmbedder(line), "nearest:test_items=300", "cosine") == 1.0
    assert score("random", "nearest:test_items=300", "cosine") == pytest.approx(0.2, abs=0.08)
    assert Nearest().needs(Pool(values[:5], 22)) == "it needs 6 numbers, and there are 5"


def test_a_corpus_of_ones_own(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("".join(f"Item {name} weighs 1,250 grams.\n" for name in "ABCDEF"))
    task = Retrieval(corpus=str(corpus), test_items=50)
    sentences = {one.sentence for one in task.draw(POOL, "test", generator(0)).mentions}
    assert "Item B weighs {number} grams." in sentences
    assert not any("Item A" in sentence for sentence in sentences)
    before = Cell.make("value", task, "100:999").hash
    corpus.write_text("".join(f"Item {name} costs 5 dollars.\n" for name in "ABCDEF"))
    numprobe.tasks.wordings.read_corpus.cache_clear()
    assert Cell.make("value", task, "100:999").hash != before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("an MP3\n5\n", "line 1: there is no number to change"),
        ("5\n{number} {number}\n", "line 2: .* twice"),
        ("5 a\n6 a\n", "has 1 diff"),
    ],
)
def test_a_bad_corpus_is_named_by_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(NumprobeError, match=message):
        Retrieval(corpus=str(tmp_path / "bad.txt"))
