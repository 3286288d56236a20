"""How long probes learn, and what is tried."""

import math
from dataclasses import dataclass

PROTOCOLS = ("strict", "paper")
PROBES = ("linear", "mlp", "bilstm")


@dataclass(frozen=True)
class Recipe:
    """What is tried and for how long. The first width and rate are those of the `paper` protocol."""

    widths: tuple[int, ...]
    rates: tuple[float, ...]
    batch: int
    steps: int
    """Steps for 100 items. More items take more, where more than ten items per number do not count."""
    growth: float
    """The power of the number of items with which the steps grow."""
    most_steps: int
    trial: float
    """The share of the schedule on which `strict` compares the settings."""

    def steps_for(self, items: int, numbers: int) -> float:
        counted = min(items, 10 * numbers)
        return min(self.most_steps, self.steps * max(1.0, math.pow(counted / 100, self.growth)))


RECIPES = {
    "mlp": Recipe((100,), (1e-2, 3e-3, 3e-2), batch=32, steps=1000, growth=0.3, most_steps=5000, trial=0.5),
    "bilstm": Recipe((100,), (5e-3, 1e-2), batch=64, steps=200, growth=0.3, most_steps=1100, trial=0.3),
}
"""One width is tried. That wider is no better was seen once (untrained CNN, decoding [0,99]), with an older recipe."""

PENALTIES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)
"""What `strict` tries for linear regression. The first is that of the `paper` protocol: none."""
