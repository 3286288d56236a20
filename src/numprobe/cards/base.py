"""What a card is made of: sections that name their cells, read the results, and judge them by rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from numprobe.analysis.statistics import Paired, best_of, compare_all, interval
from numprobe.embedders.strings import STRINGS
from numprobe.experiments import Cell, Result

PERFECT = 0.99
"""Where a string comes this far from guessing (0) to perfect (1), no model can show more: nothing is claimed there."""
RELIABLE = 0.9
"""What is right this often can be relied on."""
QUICK_LISTS = "bilstm:most_steps=200"
"""The probe for lists and pairs on a quick card. More steps take minutes, and gain little from so few items."""


class CardQuestion(NamedTuple):
    """One question of a card: a cell without its embedder.

    >>> str(CardQuestion("decoding", "0:99", probe="linear").of("length"))
    'length, decoding, [0,99], linear'
    """

    task: str
    range: str
    form: str = ""
    probe: str = ""
    seeds: int | None = None
    test_form: str = ""
    title: str = ""
    """What its score is called on the page; by default its task and numbers."""

    def of(self, embedder: Any, name: str = "") -> Cell:
        """The cell that asks an embedder; it is asked about the numbers that it has."""
        asked = {field: value for field, value in self._asdict().items() if field != "title"}
        return Cell.make(embedder, **asked, missing="restrict", name=name)


@dataclass(frozen=True)
class Statement:
    """A sentence of the verdict, whether it holds, and why.

    >>> Statement("It decodes [0,99] better than strings.", False, "rmse 12.1; best string (digits) 0.0").holds
    False
    """

    statement: str
    holds: bool
    evidence: str
    section: str = ""


@dataclass(frozen=True)
class Measured:
    """A result of the model above its floors: guessing, and the best string."""

    asked: CardQuestion
    own: Result
    string: Result | None
    """The best string baseline; None unless all of them were asked."""

    @cached_property
    def pair(self) -> Paired | None:
        """The model beside the best string."""
        return compare_all([self.own, self.string])[0] if self.string else None

    @property
    def beats_strings(self) -> bool:
        """Whether the model is better than the best string baseline, by the corrected resampled t-test."""
        return self.pair is not None and self.pair.better is self.own

    @property
    def beats_guessing(self) -> bool:
        """Whether the whole 95 % interval is better than guessing."""
        between, guess = interval(self.own), self.own.guessing
        if between is None or guess is None:
            return False
        return all(self.own.measure.better(end, guess) for end in between)

    @property
    def leaves_room(self) -> bool:
        """Whether the text does not give everything away already, so that a model could show more."""
        return (self.place(self.string) or 0.0) < PERFECT

    @property
    def evidence(self) -> str:
        """The scores in one line."""
        own, places = self.own, self.own.measure.decimals
        between = interval(own)
        if between and own.measure.higher_is_better:  # a share is between 0 and 1
            between = max(between[0], 0.0), min(between[1], 1.0)
        sure = f" ({between[0]:.{places}f} to {between[1]:.{places}f})" if between else ""
        parts = [f"{own.metric} {own.mean:.{places}f}{sure}"]
        if self.string:
            parts.append(
                f"{self.standing} the best string ({self.string.cell.embedder}: {self.string.mean:.{places}f})"
            )
        if own.guessing is not None:
            guess = f"{own.guessing:.{places}f}"
            parts.append(f"guessing {guess}" if self.beats_guessing else f"not surely better than guessing ({guess})")
        covered, asked = own.coverage["covered"], own.coverage["asked"]
        if covered < asked:
            parts.append(f"on the {covered} of {asked} numbers that it has, which strings were not asked about")
        return "; ".join(parts)

    @property
    def standing(self) -> str:
        """How the model compares with the best string, to be followed by its name."""
        if self.pair is None or self.pair.reason:
            return "can't be compared with"
        if self.pair.better is None:
            return "can't be told from"
        return "better than" if self.beats_strings else "worse than"

    def place(self, result: Result | None) -> float | None:
        """Where a score lies between guessing (0) and perfect (1); None if that is unknown."""
        guess = self.own.guessing
        if result is None or not guess:
            return None
        share = (result.mean - guess) / (1 - guess) if result.measure.higher_is_better else 1 - result.mean / guess
        return min(max(share, 0.0), 1.0)


@dataclass(frozen=True)
class Evidence:
    """Where sections find results: those of the model, and those of others that were published.

    >>> evidence = Evidence("value", "value", load=lambda cell: None)
    >>> print(evidence.own(CardQuestion("decoding", "0:99", probe="linear")))
    None
    """

    embedder: Any
    model: str
    load: Callable[[Cell], Result | None]
    others: Sequence[str] = ()
    """The reference models."""

    def own(self, asked: CardQuestion) -> Result | None:
        return self.load(asked.of(self.embedder, self.model))

    def of(self, asked: CardQuestion, embedder: str) -> Result | None:
        return self.load(asked.of(embedder))

    def measured(self, asked: CardQuestion, rivals: Sequence[str] = STRINGS) -> Measured | None:
        """A result of the model with the best of its rivals; None if it failed."""
        own = self.own(asked)
        if own is None:
            return None
        strings = [result for name in rivals if (result := self.of(asked, name)) is not None]
        is_known = strings and len(strings) == len(rivals)  # the best of some might not be the best
        return Measured(asked, own, best_of(strings) if is_known else None)


@dataclass(frozen=True)
class Part:
    """What a section has to say.

    >>> Part([Statement("It knows 7.", True, "it said 7")]).statements[0].evidence
    'it said 7'
    """

    statements: Sequence[Statement] = ()
    """What the model knows beyond the text."""
    measured: Sequence[Measured] = ()
    """Scores to draw between guessing and perfect."""
    lines: Sequence[str] = ()
    """Plain sentences below them."""
    pictured: Sequence[Result] = ()
    """Results for the section's picture."""
    uses: Sequence[Statement] = ()
    """What the model can be relied on for; the text alone may do as well."""

    @property
    def has_something(self) -> bool:
        return any((self.statements, self.measured, self.lines, self.uses))


class CardSection:
    """One part of a card. Subclass it as a frozen dataclass with a `name`, and define `asks` and `read`.

    >>> @dataclass(frozen=True)
    ... class Dozens(CardSection):
    ...     name = "dozens"
    ...     title = "Numbers up to a gross"
    ...     def asks(self, quick):
    ...         return [CardQuestion("decoding", "0:144", probe="linear")]
    ...     def read(self, evidence, quick):
    ...         found = evidence.own(self.asks(quick)[0])
    ...         return Part(lines=[f"rmse {found.mean:.1f}"] if found else [])
    >>> [str(cell) for cell in Dozens().cells("value", "", quick=False)]
    ['value, decoding, [0,144], linear']
    """

    name: ClassVar[str]
    title: ClassVar[str]
    place: ClassVar[int] = 50
    """Where it stands: sections are in the order of their places."""
    picture: ClassVar[str] = ""
    """The picture of its results, as `numprobe plot` names it."""
    rivals: ClassVar[tuple[str, ...]] = STRINGS
    """What a model has to beat, because the text alone gives it away."""

    def applies(self, embedder: Any) -> bool:
        """Whether the section makes sense for an embedder."""
        return True

    def asks(self, quick: bool) -> Sequence[CardQuestion]:
        """What it asks."""
        raise NotImplementedError

    def cells(self, embedder: Any, name: str, quick: bool) -> list[Cell]:
        """The cells to run."""
        return [asked.of(embedder, name) for asked in self.asks(quick)]

    def rival_cells(self, quick: bool) -> list[Cell]:
        """The cells of what the model has to beat."""
        return [asked.of(name) for asked in self.asks(quick) for name in self.rivals]

    def read(self, evidence: Evidence, quick: bool) -> Part:
        """What the results say."""
        raise NotImplementedError


@dataclass(frozen=True)
class Judged(CardSection):
    """A section that claims, for each question, that the model beats guessing and the best string baseline."""

    claim: ClassVar[str]
    """What the model knows, with {where} for the numbers."""
    use: ClassVar[str] = ""
    """What it can be relied on for, nine times in ten, with {where} for the numbers; empty for nothing."""
    use_metric: ClassVar[str] = ""
    """The share that has to be right for that; by default the score itself."""

    def read(self, evidence: Evidence, quick: bool) -> Part:
        measured = [found for asked in self.asks(quick) if (found := evidence.measured(asked, self.rivals))]
        return self.tell(measured)

    def tell(self, measured: Sequence[Measured]) -> Part:
        """What some scores say."""
        return Part(
            [self.judge(found) for found in measured if found.leaves_room],
            measured,
            [given_away(found) for found in measured if not found.leaves_room],
            uses=[self.relied_on(found) for found in measured if self.use],
        )

    def judge(self, found: Measured, **words: str) -> Statement:
        """Whether a score shows knowledge; `words` stand in the claim."""
        claim = self.claim.format(where=found.own.cell.where, **words)
        return Statement(claim, found.beats_strings and found.beats_guessing, found.evidence, self.name)

    def relied_on(self, found: Measured, **words: str) -> Statement:
        """Whether nine answers in ten are right."""
        use = self.use.format(where=found.own.cell.where, **words)
        share = self._share(found.own)
        told = f"{100 * share:.1f} % of the answers about held-out numbers"
        if found.string:
            told += f"; from the best string ({found.string.cell.embedder}) {100 * self._share(found.string):.1f} %"
        return Statement(f"{use}, nine times in ten", share >= RELIABLE, told, self.name)

    def _share(self, result: Result) -> float:
        return (result.rescored(self.use_metric) if self.use_metric else result).mean


def given_away(found: Measured) -> str:
    """Why nothing is claimed where the text gives everything away."""
    named = found.string.cell.embedder if found.string else ""
    return f"On {found.own.cell.where}, the text gives everything away ({named}), so no model can show more than it."
