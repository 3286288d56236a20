"""The paper's findings as statements that are checked against results, each with the numbers it rests on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import median
from typing import NamedTuple

from numprobe.analysis.paper import PAPER_EMBEDDERS, PAPER_TASKS
from numprobe.experiments import Result
from numprobe.numbers import Range
from numprobe.tasks import TASKS

WORD_VECTORS = ("word2vec", "glove", "glove-6b-50d", "glove-840b-300d-bert-words")
SUB_WORD = ("bert", "minilm-l6", "mpnet-base")
"""Models with BERT's word pieces; SmolLM2 and WordLlama read digit by digit."""
CNNS = ("untrained-cnn", "char-cnn", "elmo", "naqanet-chars")
CHARACTERS = (*CNNS, "untrained-lstm", "char-lstm")
PRETRAINED = (*WORD_VECTORS, *SUB_WORD, "elmo", "smollm2-135m", "wordllama-256")
EMBEDDERS = frozenset((*PAPER_EMBEDDERS, *PRETRAINED))
"""The paper's, and pretrained ones that stand in for those whose weights are not public. No other embedder counts."""
INTEGERS, LARGEST = ("0:99", "0:999", "0:9999"), "0:9999"
TEST_RANGES = ("151:160", "151:180", "151:200")
LIKE_INTEGERS = {
    "floats": (("0:99", "0.0:99.9"), ("0:999", "0.0:999.9")),
    "negatives": (("0:99", "-50:50"),),
    "words": (("0:99", "0:99"),),
}
"""Form -> ranges of integers, each with the range in this form that it is compared with."""

Scored = Mapping[str, Result]
"""Embedder -> its result on one task and range."""
Check = tuple[bool, str]
"""Whether something holds, and the numbers that show it."""


class Finding(NamedTuple):
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


class Scores:
    """Results of the paper's tasks and embedders; of equal cells, the one with the most shuffles."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._found: dict[tuple[str, ...], dict[str, Result]] = {}
        for result in sorted(filter(_is_the_papers, results), key=lambda result: result.cell.seeds):
            cell = result.cell
            probe = "" if cell.uses_default_probe else cell.probe
            key = (cell.parts.task.name, cell.range, cell.form, cell.test_range, probe)
            self._found.setdefault(key, {})[cell.embedder] = result

    def of(self, task: str, numbers: str, form: str = "digits", test_range: str = "", probe: str = "") -> Scored:
        """The results by embedder; without a probe, those of the task's own."""
        return self._found.get((task, numbers, form, test_range, probe), {})


def findings(results: Iterable[Result]) -> list[Finding]:
    """Check every finding of the paper about the synthetic tasks."""
    scores = Scores(results)
    found = []
    for statement, checks_of in FINDINGS.items():
        checks = list(checks_of(scores))
        lines = tuple(f"{'✓' if holds else '✗'} {text}" for holds, text in checks)
        found.append(Finding(statement, all(holds for holds, _ in checks) if checks else None, lines))
    return found


def _is_the_papers(result: Result) -> bool:
    """Whether a result is of the paper's tasks, as they are or quick, in their own metric, and of its embedders."""
    task = result.cell.parts.task
    if task.name not in PAPER_TASKS or result.cell.embedder not in EMBEDDERS or result.metric != task.metric:
        return False
    default = TASKS.build(task.name)
    return task in (default, default.quick())


def _word_vectors(scores: Scores) -> Iterator[Check]:
    for task in PAPER_TASKS:
        for numbers in INTEGERS[:2]:
            scored = scores.of(task, numbers)
            vectors = _those(scored, WORD_VECTORS)
            if vectors and "random" in scored:
                holds = all(_far_better(result, scored["random"]) for result in vectors.values())
                yield _check(holds, _name(task, numbers), _those(scored, ("random", *vectors)))


def _characters(scores: Scores) -> Iterator[Check]:
    for task in PAPER_TASKS:
        read = {name: result for name, result in scores.of(task, LARGEST).items() if name != "value"}
        if _those(read, CHARACTERS) and _those(read, PRETRAINED):
            ranked = _ranked(read)
            yield _check(next(iter(ranked)) in CHARACTERS, _name(task, LARGEST), ranked)


def _untrained_cnn(scores: Scores) -> Iterator[Check]:
    for task in PAPER_TASKS:
        for numbers in INTEGERS[1:]:
            scored = scores.of(task, numbers)
            pretrained = _those(scored, PRETRAINED)
            if pretrained and "untrained-cnn" in scored:
                own = scored["untrained-cnn"]
                holds = own.measure.better(own.mean, median(result.mean for result in pretrained.values()))
                yield _check(holds, _name(task, numbers), _ranked({"untrained-cnn": own, **pretrained}))


def _sub_words(scores: Scores) -> Iterator[Check]:
    for task in PAPER_TASKS:
        scored = scores.of(task, LARGEST)
        pieces = _those(scored, SUB_WORD)
        for name, network in _those(scored, CNNS).items() if pieces else ():
            holds = all(_better(network, other) for other in pieces.values())
            yield _check(holds, _name(task, LARGEST), _ranked({name: network, **pieces}))


def _linear_on_small_ranges(scores: Scores) -> Iterator[Check]:
    for numbers, form in (("0:50", "digits"), ("-50:50", "negatives")):
        scored = scores.of("decoding", numbers, form, probe="linear")
        for name, result in _those(scored, PRETRAINED).items() if "random" in scored else ():
            shown = _those(scored, ("random", name))
            yield _check(result.mean <= scored["random"].mean / 3, _name("decoding", numbers, "linear"), shown)


def _linear_on_large_ranges(scores: Scores) -> Iterator[Check]:
    linear, mlp = (scores.of("decoding", "0:999", probe=probe) for probe in ("linear", ""))
    for name, result in _those(linear, PRETRAINED).items():
        if name in mlp:
            shown = {f"{name} linear": result, "mlp": mlp[name]}
            yield _check(_better(mlp[name], result), _name("decoding", "0:999"), shown)


def _value(scores: Scores) -> Iterator[Check]:
    for task in PAPER_TASKS:
        shown = _those(scores.of(task, LARGEST), ("value", "char-cnn"))
        if len(shown) == 2:
            yield _check(_better(shown["char-cnn"], shown["value"]), _name(task, LARGEST), shown)


def _order(scores: Scores) -> Iterator[Check]:
    from scipy.stats import spearmanr

    for form, pairs in LIKE_INTEGERS.items():
        found = {}
        for task in PAPER_TASKS:
            for integers, numbers in pairs:
                scored, other = scores.of(task, integers), scores.of(task, numbers, form)
                names = [name for name in scored if name in other]
                if len(names) > 3:
                    ranks = spearmanr([scored[name].mean for name in names], [other[name].mean for name in names])
                    found[f"{_name(task, numbers)} {ranks.statistic:.2f} ({len(names)} methods)"] = ranks.statistic
        if found:
            holds = sum(found.values()) / len(found) > 0.5
            yield holds, f"{form}, rank correlation with integers: {', '.join(found)}"


def _outside(scores: Scores) -> Iterator[Check]:
    inside = scores.of("list-maximum", "0:99")
    for name in inside:
        tests = {test: scores.of("list-maximum", "0:150", test_range=test).get(name) for test in TEST_RANGES}
        outside = {f"on {Range.parse(test).label}": result for test, result in tests.items() if result is not None}
        if outside and name != "random":
            holds = all(_better(inside[name], result) for result in outside.values())
            yield _check(holds, name, {"on [0,99]": inside[name], **outside})


def _tokens(scores: Scores) -> Iterator[Check]:
    inside = scores.of("list-maximum", "0:99")
    outside = scores.of("list-maximum", "0:150", test_range=TEST_RANGES[-1])
    lost = {name: inside[name].mean - outside[name].mean for name in inside if name in outside}
    tokens, characters = ([lost[name] for name in names if name in lost] for names in (WORD_VECTORS, CHARACTERS))
    if tokens and characters:
        order = sorted((name for name in lost if name != "random"), key=lambda name: -lost[name])
        text = ", ".join(f"{name} {lost[name]:.2f}" for name in order)
        where = f"from [0,99] to {Range.parse(TEST_RANGES[-1]).label}"
        yield min(tokens) > max(characters), f"accuracy lost {where}: {text}"


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


def _check(holds: bool, what: str, shown: Scored) -> Check:
    """A check with the results that it rests on."""
    quick = ", quick" if any(result.cell.is_quick for result in shown.values()) else ""
    return holds, f"{what}{quick}: {', '.join(f'{name} {_score(result)}' for name, result in shown.items())}"


def _those(scored: Scored, names: Iterable[str]) -> dict[str, Result]:
    return {name: scored[name] for name in names if name in scored}


def _better(one: Result, other: Result) -> bool:
    return one.measure.better(one.mean, other.mean)


def _far_better(result: Result, than: Result) -> bool:
    return result.mean >= 2 * than.mean if result.measure.higher_is_better else result.mean <= than.mean / 2


def _ranked(scored: Scored) -> dict[str, Result]:
    """The best first."""
    from_above = next(iter(scored.values())).measure.higher_is_better
    return dict(sorted(scored.items(), key=lambda item: item[1].mean, reverse=from_above))


def _name(task: str, numbers: str, probe: str = "") -> str:
    return f"{probe} {task} {Range.parse(numbers).label}".lstrip()


def _score(result: Result) -> str:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    return f"{result.mean:.2f} ± {result.std:.2f}" + (f" ({covered} of {asked} numbers)" if covered < asked else "")
