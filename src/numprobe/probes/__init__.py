"""Who answers: one file per probe, and the engine that trains networks.

No module imports PyTorch before it trains, so that a command that trains nothing starts quickly.
"""

from typing import Any

from numprobe.probes.base import Answers, Dataset, Prepare, Prepared, Probe, Questions, Word
from numprobe.registry import Registry


def _adapted(part: Any) -> Any:
    """Let a scikit-learn estimator be a probe."""
    if hasattr(part, "answers"):
        return part
    from numprobe.probes.estimator import EstimatorProbe

    return EstimatorProbe(part)


PROBES: Registry[Probe] = Registry("probe", "numprobe.probes", ("fit", "answers or predict"), adapt=_adapted)


def families(solved: bool = False) -> list[str]:
    """The probes that look for numbers in a shape of their own, by name and settings; perhaps only the solved ones.

    >>> families(solved=True)
    ['circular', 'helix', 'linear', 'linear:target=log']
    """
    makers = (PROBES.makers[name] for name in sorted(PROBES))
    return [
        shape
        for made in makers
        if getattr(made, "is_solved", False) or not solved
        for shape in getattr(made, "shapes", ())
    ]


__all__ = ["PROBES", "Answers", "Dataset", "Prepare", "Prepared", "Probe", "Questions", "Word", "families"]
