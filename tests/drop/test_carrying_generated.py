"""Compare carried answers with the solver, which reads only the facts."""

from dataclasses import replace
from decimal import Decimal

import pytest

from numprobe.drop.carrying import change_text
from numprobe.drop.changes import load_change
from numprobe.drop.generator import GeneratorSettings
from numprobe.drop.quantities import quantities
from tests.drop.solver import agrees, generate_with_facts

GENERATED = generate_with_facts(GeneratorSettings(passages=60, seed=3, words=0))


@pytest.mark.parametrize("spec", ["add:low=1,high=20", "multiply:low=11,high=100", "bigger"])
def test_the_solver_agrees_after_a_change(spec: str) -> None:
    change = load_change(spec)
    passages, _ = change_text(change, [one.passage for one in GENERATED], seed=7)
    questions = {question.id: question for passage in passages for question in passage.questions}
    assert len(questions) > 300
    wrong = []
    for one in GENERATED:
        rewriting = change.draw(7, one.passage.id)

        def moved(value: Decimal, rewriting=rewriting) -> Decimal:
            (number,) = quantities(f"{value:,}")
            (after,) = quantities(rewriting(number))
            return Decimal(after.value)

        facts = [replace(fact, value=moved(fact.value)) for fact in one.facts]
        for name, query in one.queries.items():
            if name in questions:
                bound = None if query.bound is None else moved(query.bound)
                if not agrees(questions[name].answer, facts, replace(query, bound=bound)):
                    wrong.append(questions[name])
    assert not wrong
