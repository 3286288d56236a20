from numprobe.drop.data import Answer, Question
from numprobe.drop.prompt import EXAMPLES, examples_part, passage_part
from numprobe.drop.question_types import question_types


def test_examples_are_superlative_and_comparative_with_answers_from_their_passage() -> None:
    types = set()
    for passage, questions in EXAMPLES:
        for question, answer in questions:
            assert answer.lower() in passage.lower() + question.lower()
            types |= set(question_types(Question("", question, Answer(spans=(answer,)))))
    assert types >= {"superlative_number", "superlative_span", "comparative_binary"}


def test_a_prompt_is_lines() -> None:
    lines = (examples_part() + passage_part("Over\ntwo  lines.")).splitlines()
    assert lines[0].startswith("Passage: The town")
    assert lines[-1] == "Passage: Over two lines."
    assert sum(line.startswith("Answer: ") for line in lines) == sum(len(questions) for _, questions in EXAMPLES)
