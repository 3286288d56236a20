"""The text that a language model goes on with: a few answered examples, a passage, a question.

Each part begins with its line ends. So most tokenizers cut the parts as they would cut the whole, and what a model made
of one part serves everything that follows it.
"""

EXAMPLES = (
    (
        "The town had 5,214 people in 2004. 31.5% were under the age of 18, 48.2% from 18 to 64, and 20.3% were 65 or "
        "older. There were 1,204 people of German and 860 of Irish ancestry.",
        (
            ("What percent was the smallest age group?", "20.3"),
            ("Which group is larger: German or Irish?", "German"),
            ("Which age group is smaller: under the age of 18 or from 18 to 64?", "under the age of 18"),
        ),
    ),
    (
        "Moss opened the scoring with a 23-yard field goal and added one of 38 yards before the half. Dale answered "
        "for the Otters with a 46-yard field goal, and Reyes ran 9 yards for a touchdown. The Otters won 24-20.",
        (
            ("How many yards was the longest field goal?", "46"),
            ("Who kicked the longest field goal?", "Dale"),
            ("Which player had the longer field goal, Moss or Dale?", "Dale"),
            ("Who kicked the shortest field goal?", "Moss"),
        ),
    ),
    (
        "The Low Bridge, finished in 1752, is 140 metres long and the Mill Bridge, finished in 1831, 95 metres. In "
        "1888 the foundry beside it cast 640 bells and 210 clocks, and the pottery across the river made 75 stoves.",
        (
            ("Which bridge is longer, the Low Bridge or the Mill Bridge?", "the Low Bridge"),
            ("Which bridge was finished latest?", "Mill Bridge"),
            ("Which was smaller, the number of bells or of clocks?", "clocks"),
        ),
    ),
)
"""Superlative and comparative questions, with numbers and with spans as answers."""


def passage_part(text: str) -> str:
    return f"\n\nPassage: {_one_line(text)}"


def question_part(text: str) -> str:
    """What comes before an answer.

    >>> question_part("Who won?")
    '\\nQuestion: Who won?\\nAnswer:'
    """
    return f"\nQuestion: {_one_line(text)}\nAnswer:"


def examples_part() -> str:
    """The examples, answered: what every prompt begins with."""
    parts = []
    for text, questions in EXAMPLES:
        parts.append(passage_part(text))
        parts += [f"{question_part(question)} {answer}" for question, answer in questions]
    return "".join(parts).lstrip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
