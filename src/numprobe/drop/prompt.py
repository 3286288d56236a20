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
        "Sheep were first kept in the valley around 1650, goats around 1700 and horses only after 1810. By 1900 it had "
        "320 farms and 75 mills, and the storm of 1903 killed 12 people and wounded 40.",
        (
            ("Which was larger, the number of farms or of mills?", "farms"),
            ("Which animal was kept earliest?", "sheep"),
            ("Was there a smaller number of dead or wounded?", "dead"),
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
