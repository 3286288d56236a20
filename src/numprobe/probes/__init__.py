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

__all__ = ["PROBES", "Answers", "Dataset", "Prepare", "Prepared", "Probe", "Questions", "Word"]
