from dataclasses import replace
from pathlib import Path

import pytest
import torch

from numprobe.drop import language_model
from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.language_model import ANSWER_PIECES, LanguageModel, examples_part, passage_part, question_part
from numprobe.drop.question_types import question_types
from numprobe.embedders.speech.writing import load_writer
from numprobe.errors import NumprobeError
from tests.drop.tiny import save_tiny_model

PASSAGES = [
    Passage(
        f"p{number}",
        f"Akers made a {number}-yard\nand Gould a 20-yard field goal.",
        tuple(
            Question(f"{number}-{place}", text, GoldAnswer(number="2"))
            for place, text in enumerate(["Who kicked?", "How many yards was the longest field goal?", "Why?"])
        ),
    )
    for number in (43, 51)
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


def written_without_a_cache(folder: str, passage: str, question: str) -> str:
    """The same answer, computed without a cache."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    prompt = tokenizer(examples_part() + passage_part(passage) + question_part(question)).input_ids
    pieces = list(prompt)
    with torch.no_grad():
        for _ in range(ANSWER_PIECES):
            pieces.append(int(model(torch.tensor([pieces])).logits[0, -1].argmax()))
    return str(tokenizer.decode(pieces[len(prompt) :])).partition("\n")[0].partition("<s>")[0].strip()


def test_caching_does_not_change_answers(tiny: str) -> None:
    answers = dict(LanguageModel(tiny).answer(PASSAGES))
    expected = {
        question.id: written_without_a_cache(tiny, passage.text, question.text)
        for passage in PASSAGES
        for question in passage.questions
    }
    assert answers == expected
    assert len(set(answers.values())) > 3  # a model that ignored what it read would pass otherwise


def test_answers_do_not_depend_on_the_other_questions(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    together = dict(LanguageModel(tiny).answer(PASSAGES))
    monkeypatch.setattr(language_model, "TOGETHER", 2)
    alone = [replace(passage, questions=passage.questions[::-1]) for passage in PASSAGES[::-1]]
    assert dict(LanguageModel(tiny).answer(alone)) == together


def test_an_answer_ends_at_a_line_break_or_a_special_piece(tiny: str) -> None:
    writer = load_writer(tiny, "", "", False)

    def pieces(text: str) -> list[int]:
        return list(writer.tokenizer(text, add_special_tokens=False).input_ids)

    assert writer.line(pieces(" 43\nQuestion")) == ("43", True)
    assert writer.line([*pieces(" 43"), writer.tokenizer.bos_token_id, 7]) == ("43", True)
    assert writer.line(pieces(" 4")) == ("4", False)
    assert writer.line(pieces("\n43")) == ("", True)


def test_a_passage_that_is_too_long_is_refused_before_any_answer(tmp_path: Path) -> None:
    folder = save_tiny_model(tmp_path, pieces=len(examples_part()) + 200)
    long = replace(PASSAGES[1], text="yard " * 200)
    with pytest.raises(NumprobeError, match=r"passage 'p51' needs [\d,]+ word pieces .* reads only [\d,]+: leave"):
        next(LanguageModel(folder).answer([PASSAGES[0], long]))


def test_an_encoder_is_not_a_language_model(tmp_path: Path) -> None:
    from transformers import AutoModel

    folder = save_tiny_model(tmp_path)
    AutoModel.from_pretrained(folder).save_pretrained(folder)
    with pytest.raises(NumprobeError, match="holds LlamaModel, which is not a causal language model"):
        next(LanguageModel(folder).answer(PASSAGES))


def test_a_passage_without_questions_has_no_answers(tiny: str) -> None:
    assert list(LanguageModel(tiny).answer([Passage("p", "Nobody asks.", ())])) == []


def test_examples_are_superlative_and_comparative_with_answers_from_their_passage() -> None:
    types = set()
    for example in examples_part().split("\n\n"):
        passage, *lines = example.splitlines()
        assert passage.startswith("Passage: ")
        for question, answer in zip(lines[::2], lines[1::2], strict=True):
            asked, answered = question.removeprefix("Question: "), answer.removeprefix("Answer: ")
            assert question_part(asked) + f" {answered}" == f"\n{question}\n{answer}"
            assert answered.lower() in f"{passage} {asked}".lower()
            types |= set(question_types(Question("", asked, GoldAnswer(spans=(answered,)))))
    assert types >= {"superlative_number", "superlative_span", "comparative_binary"}


def test_a_passage_is_one_line() -> None:
    assert (examples_part() + passage_part("Over\ntwo  lines.")).splitlines()[-1] == "Passage: Over two lines."
