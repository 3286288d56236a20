"""Changes of the numbers in a passage: the stress tests of Table 3, the larger test set and the augmentation.

A change draws random integers once per passage. The resulting `Rewriting` is applied to every number, either to the
tokens that NAQANet sees, while the text stays as it is, or to the text itself (`numprobe.drop.carrying`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from numprobe.drop.quantities import Amount, Quantity, in_words, written
from numprobe.errors import NumprobeError, at_least
from numprobe.numbers import generator
from numprobe.registry import Spec, build

Rewriting = Callable[[Quantity], str]
"""How a number in one passage is written after the change."""


@dataclass(frozen=True)
class Change:
    """Multiply every number of a passage by one integer, then add another, each drawn from a range; or write words."""

    times: tuple[int, int] = (1, 1)
    plus: tuple[int, int] = (0, 0)
    in_words: tuple[int, int] | None = None
    """Keep all values, and write the whole numbers of this range in words."""

    def draw(self, seed: int, passage_id: str) -> Rewriting:
        """What the change does to one passage, the same for the tokens of NAQANet and for the text."""
        rng = generator(seed, "change", passage_id)
        times, plus = (int(rng.integers(low, high, endpoint=True)) for low, high in (self.times, self.plus))

        def rewrite(number: Quantity) -> str:
            if self.in_words:
                low, high = self.in_words
                is_whole = number.text.replace(",", "").isdecimal() and low <= number.value <= high
                return in_words(int(number.value)) if is_whole else number.text
            value = number.value * times + plus
            return number.text if value == number.value else written(value, number)

        return rewrite


AUGMENTATION = Change(times=(1, 10), plus=(0, 20))
"""The changed copies used in training."""


def _add(low: int = 1, high: int = 20) -> Change:
    return Change(plus=_range("add", low, high, least=1))


def _multiply(low: int = 2, high: int = 10) -> Change:
    return Change(times=_range("multiply", low, high, least=1))


def _digits_to_words(low: int = 0, high: int = 20) -> Change:
    return Change(in_words=_range("digits-to-words", low, high, least=0))


def _range(name: str, low: int, high: int, least: int) -> tuple[int, int]:
    at_least(least, **{f"{name}:low": low})
    if low > high:
        raise NumprobeError(f"{name}: low {low} is above high {high}")
    return low, high


CHANGES: dict[str, Callable[..., Change]] = {
    "add": _add,
    "multiply": _multiply,
    "digits-to-words": _digits_to_words,
    "bigger": lambda: Change(times=(11, 20), plus=(21, 40)),  # larger than anything the augmentation shows
    "augmentation": lambda: AUGMENTATION,
}
"""Name -> function of the settings."""

STRESS_TESTS = (
    "add:low=1,high=20",
    "add:low=21,high=100",
    "multiply:low=2,high=10",
    "multiply:low=11,high=100",
    "digits-to-words:low=0,high=20",
    "digits-to-words:low=21,high=100",
)
"""The rows of the paper's stress-test table."""


def change_label(spec: str) -> str:
    """A change as the paper writes it.

    >>> change_label("digits-to-words:low=21,high=100"), change_label("bigger")
    ('Digits to Words [21, 100]', 'Bigger')
    """
    change = Spec.parse(spec)
    words = " ".join(word if word == "to" else word.capitalize() for word in change.name.split("-"))
    bounds = dict(change.settings)
    return f"{words} [{bounds['low']}, {bounds['high']}]" if bounds.keys() >= {"low", "high"} else words


def load_change(spec: str) -> Change:
    """The change that a text such as `add:low=1,high=20` describes.

    >>> load_change("multiply:low=11,high=100")
    Change(times=(11, 100), plus=(0, 0), in_words=None)
    """
    change: Change = build("change", CHANGES, Spec.parse(spec))
    return change


def seen_tokens(rewriting: Rewriting, tokens: Iterable[str], values: Iterable[Amount | None]) -> tuple[str, ...]:
    """What the model sees instead of each token, given the values of those that are numbers; words become one token.

    >>> rewriting = load_change("add:low=5,high=5").draw(0, "passage")
    >>> seen_tokens(rewriting, ["Two", "of", "21", "men"], [None, None, 21, None])
    ('Two', 'of', '26', 'men')
    """

    def seen(token: str, value: Amount | None) -> str:
        if value is None:
            return token
        return rewriting(Quantity(0, len(token), token, value)).replace(" and ", " ").replace(" ", "-")

    return tuple(map(seen, tokens, values))
