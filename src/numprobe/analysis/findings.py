"""The paper's findings as statements that are checked against results, each with the numbers that bear on it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import median
from typing import NamedTuple

from numprobe.analysis.comparison import better
from numprobe.experiments import Result
from numprobe.registry import Spec
from numprobe.tasks import TASKS

WORD_VECTORS = ("word2vec", "glove", "glove-6b-50d", "glove-840b-300d-bert-words")
SUB_WORD = ("bert", "minilm-l6", "mpnet-base")
"""Those with the word pieces of BERT; SmolLM2 and WordLlama read digit by digit."""
CNNS = ("untrained-cnn", "char-cnn", "elmo", "naqanet-chars")
CHARACTERS = (*CNNS, "untrained-lstm", "char-lstm")
PRETRAINED = (*WORD_VECTORS, *SUB_WORD, "elmo", "smollm2-135m", "wordllama-256")
INTEGERS, LARGEST = ("0:99", "0:999", "0:9999"), "0:9999"
TEST_RANGES = ("151:160", "151:180", "151:200")
LIKE_INTEGERS = {
    "floats": (("0:99", "0.0:99.9"), ("0:999", "0.0:999.9")),
    "negatives": (("0:99", "-50:50"),),
    "words": (("0:99", "0:99"),),
}
"""Form -> ranges of integers, and those that they compare with."""

Column = Mapping[str, Result]
"""Embedder -> result."""


class Finding(NamedTuple):
    statement: str
    holds: bool | None
    """Whether it does wherever it could be checked; None where the results are not there."""
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


class Check(NamedTuple):
    holds: bool
    line: str


class Scores:
    """The results of one protocol; of those that differ in the number of shuffles, the one with the most."""

    def __init__(self, protocol: str, results: Iterable[Result]) -> None:
        self.protocol = protocol
        self.columns: dict[tuple[str, ...], dict[str, Result]] = {}
        for result in sorted(results, key=lambda result: result.cell.seeds):
            cell, task = result.cell, Spec.parse(result.cell.task)
            if cell.protocol == protocol and cell.sampler != "released":
                key = (task.name, cell.range, cell.form, cell.test_range, cell.probe)
                self.columns.setdefault(key, {})[cell.embedder] = result

    def column(self, task: str, numbers: str, form: str = "digits", test_range: str = "", probe: str = "") -> Column:
        return self.columns.get((task, numbers, form, test_range, probe or TASKS[task].probe), {})

    def check(self, holds: bool, what: str, shown: Column) -> Check:
        """A check with the results that it rests on."""
        quick = ", quick" if any(result.cell.is_quick for result in shown.values()) else ""
        return self.line(holds, f"{what}{quick}: {', '.join(f'{name} {_score(r)}' for name, r in shown.items())}")

    def line(self, holds: bool, text: str) -> Check:
        return Check(holds, f"{'✓' if holds else '✗'} {self.protocol}, {text}")


def findings(results: Iterable[Result]) -> list[Finding]:
    """Every finding of the paper about the synthetic tasks, checked under each protocol that there are results of."""
    given = list(results)
    scores = [Scores(protocol, given) for protocol in dict.fromkeys(result.cell.protocol for result in given)]
    found = []
    for statement, checks_of in FINDINGS.items():
        checks = [check for one in scores for check in checks_of(one)]
        holds = all(check.holds for check in checks) if checks else None
        found.append(Finding(statement, holds, tuple(check.line for check in checks)))
    return found


def _word_vectors(scores: Scores) -> Iterator[Check]:
    for task in TASKS:
        for numbers in INTEGERS[:2]:
            column = scores.column(task, numbers)
            vectors = _those(column, WORD_VECTORS)
            if vectors and "random" in column:
                holds = all(_far_better(result, column["random"]) for result in vectors.values())
                yield scores.check(holds, _name(task, numbers), _those(column, ("random", *vectors)))


def _characters(scores: Scores) -> Iterator[Check]:
    for task in TASKS:
        read = {name: result for name, result in scores.column(task, LARGEST).items() if name != "value"}
        if _those(read, CHARACTERS) and _those(read, PRETRAINED):
            ranked = _ranked(read)
            yield scores.check(next(iter(ranked)) in CHARACTERS, _name(task, LARGEST), ranked)


def _untrained_cnn(scores: Scores) -> Iterator[Check]:
    for task in TASKS:
        for numbers in INTEGERS[1:]:
            column = scores.column(task, numbers)
            pretrained = _those(column, PRETRAINED)
            if pretrained and "untrained-cnn" in column:
                own = column["untrained-cnn"]
                holds = better(own.mean, median(result.mean for result in pretrained.values()), own.metric)
                yield scores.check(holds, _name(task, numbers), _ranked({"untrained-cnn": own, **pretrained}))


def _sub_words(scores: Scores) -> Iterator[Check]:
    for task in TASKS:
        column = scores.column(task, LARGEST)
        pieces = _those(column, SUB_WORD)
        for name, network in _those(column, CNNS).items() if pieces else ():
            holds = all(_better(network, other) for other in pieces.values())
            yield scores.check(holds, _name(task, LARGEST), _ranked({name: network, **pieces}))


def _linear_on_small_ranges(scores: Scores) -> Iterator[Check]:
    for numbers, form in (("0:50", "digits"), ("-50:50", "negatives")):
        column = scores.column("decoding", numbers, form, probe="linear")
        for name, result in _those(column, PRETRAINED).items() if "random" in column else ():
            shown = _those(column, ("random", name))
            yield scores.check(result.mean <= column["random"].mean / 3, _name("decoding", numbers, "linear"), shown)


def _linear_on_large_ranges(scores: Scores) -> Iterator[Check]:
    linear, mlp = (scores.column("decoding", "0:999", probe=probe) for probe in ("linear", "mlp"))
    for name, result in _those(linear, PRETRAINED).items():
        if name in mlp:
            shown = {f"{name} linear": result, "mlp": mlp[name]}
            yield scores.check(_better(mlp[name], result), _name("decoding", "0:999"), shown)


def _value(scores: Scores) -> Iterator[Check]:
    for task in TASKS:
        shown = _those(scores.column(task, LARGEST), ("value", "char-cnn"))
        if len(shown) == 2:
            yield scores.check(_better(shown["char-cnn"], shown["value"]), _name(task, LARGEST), shown)


def _order(scores: Scores) -> Iterator[Check]:
    from scipy.stats import spearmanr

    for form, pairs in LIKE_INTEGERS.items():
        found = {}
        for task in TASKS:
            for integers, numbers in pairs:
                column, other = scores.column(task, integers), scores.column(task, numbers, form)
                names = [name for name in column if name in other]
                if len(names) > 3:
                    ranks = spearmanr([column[name].mean for name in names], [other[name].mean for name in names])
                    found[f"{_name(task, numbers)} {ranks.statistic:.2f} ({len(names)} methods)"] = ranks.statistic
        if found:
            holds = sum(found.values()) / len(found) > 0.5
            yield scores.line(holds, f"{form}, rank correlation with integers: {', '.join(found)}")


def _outside(scores: Scores) -> Iterator[Check]:
    inside = scores.column("list-maximum", "0:99")
    for name in inside:
        outside = {
            test: scores.column("list-maximum", "0:150", test_range=test)[name]
            for test in TEST_RANGES
            if name in scores.column("list-maximum", "0:150", test_range=test)
        }
        if outside and name != "random":
            holds = all(_better(inside[name], result) for result in outside.values())
            shown = {"on [0,99]": inside[name], **{f"on {_range(test)}": result for test, result in outside.items()}}
            yield scores.check(holds, name, shown)


def _tokens(scores: Scores) -> Iterator[Check]:
    inside = scores.column("list-maximum", "0:99")
    outside = scores.column("list-maximum", "0:150", test_range=TEST_RANGES[-1])
    lost = {name: inside[name].mean - outside[name].mean for name in inside if name in outside}
    tokens, characters = ([lost[name] for name in names if name in lost] for names in (WORD_VECTORS, CHARACTERS))
    if tokens and characters:
        order = sorted((name for name in lost if name != "random"), key=lambda name: -lost[name])
        text = ", ".join(f"{name} {lost[name]:.2f}" for name in order)
        yield scores.line(
            min(tokens) > max(characters), f"accuracy lost from [0,99] to {_range(TEST_RANGES[-1])}: {text}"
        )


FINDINGS: dict[str, Callable[[Scores], Iterator[Check]]] = {
    "Word vectors are far better than random ones: half the error or less, twice the accuracy or more": _word_vectors,
    "On the largest range a character-level method is the best of all that read text": _characters,
    "The untrained CNN is competitive: from [0,999] on it is better than most pretrained models": _untrained_cnn,
    "Sub-word models fall behind on large ranges: all CNNs over characters are better on [0,9999]": _sub_words,
    "A linear map suffices on small ranges: its error is a third of that with random vectors or less": (
        _linear_on_small_ranges
    ),
    "A linear map does not suffice on large ranges: the MLP is better on [0,999]": _linear_on_large_ranges,
    "The value embedding fails on large ranges: the learned Char-CNN is better on [0,9999]": _value,
    "The order of the methods is consistent across forms: rank correlations with integers are above ½ on average": (
        _order
    ),
    "All methods lose accuracy outside of the training range": _outside,
    "Token vectors lose the most there: more than every character-level method": _tokens,
}
"""Statement -> its checks. Each statement says what is checked; on the paper's own numbers all of them hold."""


def _those(column: Column, names: Iterable[str]) -> dict[str, Result]:
    return {name: column[name] for name in names if name in column}


def _better(one: Result, other: Result) -> bool:
    return better(one.mean, other.mean, one.metric)


def _far_better(result: Result, than: Result) -> bool:
    return result.mean >= 2 * than.mean if result.metric == "accuracy" else result.mean <= than.mean / 2


def _ranked(column: Column) -> dict[str, Result]:
    """The best first."""
    sign = -1 if next(iter(column.values())).metric == "accuracy" else 1
    return dict(sorted(column.items(), key=lambda item: sign * item[1].mean))


def _range(text: str) -> str:
    return f"[{text.replace(':', ',')}]"


def _name(task: str, numbers: str, probe: str = "") -> str:
    return f"{probe} {task} {_range(numbers)}".lstrip()


def _score(result: Result) -> str:
    covered, asked = result.coverage["covered"], result.coverage["asked"]
    return f"{result.mean:.2f} ± {result.std:.2f}" + (f" ({covered} of {asked} numbers)" if covered < asked else "")
