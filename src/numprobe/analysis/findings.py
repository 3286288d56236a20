"""The paper's findings as statements that are checked against results, each with the numbers it rests on."""

from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import NamedTuple

import numpy as np

from numprobe.analysis.evidence import Asked, Check, Scored, Scores, better, check, comparable, far_better, ranked
from numprobe.analysis.paper import LISTS, PAPER_EMBEDDERS
from numprobe.experiments import Result
from numprobe.metrics import Spearman
from numprobe.numbers import Range

WORD_VECTORS = ("word2vec", "glove", "glove-6b-50d", "glove-840b-300d-bert-words")
SUB_WORD = ("bert", "minilm-l6", "mpnet-base")
"""Models with BERT's word pieces; SmolLM2 and WordLlama read digit by digit."""
CNNS = ("untrained-cnn", "char-cnn", "elmo", "naqanet-chars")
CHARACTERS = (*CNNS, "untrained-lstm", "char-lstm")
PRETRAINED = (*WORD_VECTORS, *SUB_WORD, "elmo", "smollm2-135m", "wordllama-256")
EMBEDDERS = frozenset((*PAPER_EMBEDDERS, *PRETRAINED))
"""The paper's, and pretrained ones that stand in for those whose weights are not public. No other embedder counts."""
RELEASED, APPENDIX = (Asked("list-maximum", lists) for lists in LISTS)
DECODING, ADDITION = Asked("decoding"), Asked("addition")
TASKS_ASKED = (RELEASED, APPENDIX, DECODING, ADDITION)
INTEGERS, LARGEST = ("0:99", "0:999", "0:9999"), "0:9999"
TRAINED, NEAREST = "0:150", "0:99"
"""What is trained on before looking outside of it, and the paper's nearest range that is not extrapolated to."""
BLOCKS = {"151:160": "71:80", "151:180": "61:90", "151:200": "51:100"}
"""Numbers outside the training range -> as many neighbours inside it that are held out."""
LIKE_INTEGERS = {
    "floats": (("0:99", "0.0:99.9"), ("0:999", "0.0:999.9")),
    "negatives": (("0:99", "-50:50"),),
    "words": (("0:99", "0:99"),),
}
"""Form -> ranges of integers, each with the range in this form that it is compared with."""


class Finding(NamedTuple):
    """A statement of the paper, and whether results bear it out.

    >>> Finding("Five is more.", True, ("✓ than four",)).verdict
    'holds'
    """

    statement: str
    holds: bool | None
    """Whether every check holds; None if there are no results to check."""
    evidence: tuple[str, ...]
    """A line for each check, beginning with ✓ or ✗."""

    @property
    def verdict(self) -> str:
        """
        >>> Finding("Five is more.", False, ("✓ than four", "✗ than six")).verdict
        'holds in 1 of 2'
        """
        if not self.evidence:
            return "not measured"
        held = sum(line.startswith("✓") for line in self.evidence)
        return "holds" if self.holds else f"holds in {held} of {len(self.evidence)}" if held else "does not hold"


def findings(results: Iterable[Result]) -> list[Finding]:
    """Check every finding of the paper about the synthetic tasks.

    >>> findings([])[0].verdict
    'not measured'
    """
    scores = Scores(result for result in results if result.cell.embedder in EMBEDDERS)
    found = []
    for statement, checks_of in FINDINGS.items():
        checks = list(checks_of(scores))
        lines = tuple(f"{'✓' if holds else '✗'} {text}" for holds, text in checks)
        found.append(Finding(statement, all(holds for holds, _ in checks) if checks else None, lines))
    return found


def _word_vectors(scores: Scores) -> Iterator[Check]:
    for asked in TASKS_ASKED:
        for numbers in INTEGERS[:2]:
            shown = comparable(scores.of(asked, numbers), ("random", *WORD_VECTORS))
            if len(shown) > 1 and "random" in shown:
                random, *vectors = shown.values()
                yield check(all(far_better(result, random) for result in vectors), asked.on(numbers), shown)


def _characters(scores: Scores) -> Iterator[Check]:
    for asked in TASKS_ASKED:
        scored = scores.of(asked, LARGEST)
        read = comparable(scored, (name for name in scored if name != "value"))
        if _any(read, CHARACTERS) and _any(read, PRETRAINED):
            order = ranked(read)
            yield check(next(iter(order)) in CHARACTERS, asked.on(LARGEST), order)


def _untrained_cnn(scores: Scores) -> Iterator[Check]:
    for asked in TASKS_ASKED:
        for numbers in INTEGERS[1:]:
            shown = comparable(scores.of(asked, numbers), ("untrained-cnn", *PRETRAINED))
            if len(shown) > 1 and "untrained-cnn" in shown:
                own, *pretrained = shown.values()
                holds = own.measure.better(own.mean, median(result.mean for result in pretrained))
                yield check(holds, asked.on(numbers), ranked(shown))


def _sub_words(scores: Scores) -> Iterator[Check]:
    for asked in TASKS_ASKED:
        scored = scores.of(asked, LARGEST)
        for name in CNNS:
            shown = comparable(scored, (name, *SUB_WORD))
            if len(shown) > 1 and name in shown:
                network, *pieces = shown.values()
                yield check(all(better(network, other) for other in pieces), asked.on(LARGEST), ranked(shown))


def _linear_on_small_ranges(scores: Scores) -> Iterator[Check]:
    for numbers, form in (("0:50", "digits"), ("-50:50", "negatives")):
        scored = scores.of(DECODING, numbers, form, probe="linear")
        for name in PRETRAINED:
            shown = comparable(scored, ("random", name))
            if len(shown) == 2:
                yield check(shown[name].mean <= shown["random"].mean / 3, DECODING.on(numbers, "linear"), shown)


def _linear_on_large_ranges(scores: Scores) -> Iterator[Check]:
    linear, mlp = (scores.of(DECODING, "0:999", probe=probe) for probe in ("linear", ""))
    for name in PRETRAINED:
        if name in linear and name in mlp:
            shown = {f"{name} linear": linear[name], "mlp": mlp[name]}
            yield check(better(mlp[name], linear[name]), DECODING.on("0:999"), shown)


def _value(scores: Scores) -> Iterator[Check]:
    for asked in TASKS_ASKED:
        shown = comparable(scores.of(asked, LARGEST), ("value", "char-cnn"))
        if len(shown) == 2:
            yield check(better(shown["char-cnn"], shown["value"]), asked.on(LARGEST), shown)


def _order(scores: Scores) -> Iterator[Check]:
    for form, pairs in LIKE_INTEGERS.items():
        for maximum in (RELEASED, APPENDIX):
            found = {}
            for asked in (maximum, DECODING, ADDITION):
                for integers, numbers in pairs:
                    ranks, count = _rank_correlation(scores.of(asked, integers), scores.of(asked, numbers, form))
                    if count > 3:
                        found[asked, f"{asked.on(numbers)} {ranks:.2f} ({count} methods)"] = ranks
            if any(asked == maximum or maximum == RELEASED for asked, _ in found):  # the other tasks have no lists
                shown = "; ".join(text for _, text in found)
                yield sum(found.values()) / len(found) > 0.5, f"{form}, rank correlation with integers: {shown}"


def _rank_correlation(one: Scored, other: Scored) -> tuple[float, int]:
    """How alike the orders of the methods in both are, and how many methods that is about."""
    one, other = (comparable(scored, [name for name in one if name in other]) for scored in (one, other))
    names = [name for name in one if name in other]
    first, second = (np.array([scored[name].mean for name in names]) for scored in (one, other))
    return Spearman().score(first, second, guess=0.0), len(names)


def _inside_and_outside(scores: Scores, asked: Asked) -> dict[str, dict[str, tuple[Result, Result]]]:
    """Embedder -> test range -> results on lists of the same width inside the training range, and outside it.

    Without the former, the results inside are those on the paper's nearest range.
    """
    for inside in (BLOCKS, dict.fromkeys(BLOCKS)):
        found: dict[str, dict[str, tuple[Result, Result]]] = {}
        for test, block in inside.items():
            near = scores.of(asked, TRAINED, test_range=block) if block else scores.of(asked, NEAREST)
            far = scores.of(asked, TRAINED, test_range=test)
            for name in near:
                if name in far and name != "random":
                    found.setdefault(name, {})[test] = near[name], far[name]
        if found:
            return found
    return {}


def _outside(scores: Scores) -> Iterator[Check]:
    for asked in (RELEASED, APPENDIX):
        for name, pairs in _inside_and_outside(scores, asked).items():
            holds = all(better(inside, outside) for inside, outside in pairs.values())
            shown = {f"on {_tested(result)}": result for pair in pairs.values() for result in pair}
            yield check(holds, f"{name}, {asked.lists} lists", shown)


def _tokens(scores: Scores) -> Iterator[Check]:
    *_, widest = BLOCKS
    for asked in (RELEASED, APPENDIX):
        found = _inside_and_outside(scores, asked)
        pairs = {name: own[widest] for name, own in found.items() if widest in own}
        lost = {name: inside.mean - outside.mean for name, (inside, outside) in pairs.items()}
        tokens, characters = ([lost[name] for name in names if name in lost] for names in (WORD_VECTORS, CHARACTERS))
        if tokens and characters:
            text = ", ".join(f"{name} {lost[name]:.2f}" for name in sorted(lost, key=lambda name: -lost[name]))
            where = " to ".join(map(_tested, next(iter(pairs.values()))))
            yield min(tokens) > max(characters), f"accuracy lost from {where}, {asked.lists} lists: {text}"


def _tested(result: Result) -> str:
    return Range.parse(result.cell.test_range or result.cell.range).label


def _any(scored: Scored, names: Iterable[str]) -> bool:
    return any(name in scored for name in names)


FINDINGS: dict[str, Callable[[Scores], Iterator[Check]]] = {
    "Word vectors are far better than random ones: half the error or less, twice the accuracy or more": _word_vectors,
    "On the largest range, a character-level method is the best of all methods that read text": _characters,
    "The untrained CNN is competitive: from [0,999] on, it is better than most pretrained models": _untrained_cnn,
    "Sub-word models fall behind on large ranges: every character-level CNN is better on [0,9999]": _sub_words,
    "A linear map suffices on small ranges: its error is at most a third of the error with random vectors": (
        _linear_on_small_ranges
    ),
    "A linear map does not suffice on large ranges: the MLP is better on [0,999]": _linear_on_large_ranges,
    "The value embedding fails on large ranges: the learned Char-CNN is better on [0,9999]": _value,
    "The order of the methods is consistent across forms: rank correlations with integers are above ½ on average": (
        _order
    ),
    "All methods lose accuracy outside the training range": _outside,
    "Token vectors lose the most there: more than every character-level method": _tokens,
}
"""Statement -> its checks. Each statement says what is checked; on the paper's own numbers all of them hold."""
