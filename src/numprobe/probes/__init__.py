"""Who answers: linear regression, MLP, BiLSTM, and the one engine that trains them."""

from numprobe.probes.engine import Bank, Data, Schedule
from numprobe.probes.fitting import PROBES, PROTOCOLS, RECIPES, Answers, Dataset, Prepared, Recipe, fit
from numprobe.probes.inputs import FixedInputs, Inputs, LearnedInputs, in_order, scaled
from numprobe.probes.models import MODELS

__all__ = [
    "MODELS",
    "PROBES",
    "PROTOCOLS",
    "RECIPES",
    "Answers",
    "Bank",
    "Data",
    "Dataset",
    "FixedInputs",
    "Inputs",
    "LearnedInputs",
    "Prepared",
    "Recipe",
    "Schedule",
    "fit",
    "in_order",
    "scaled",
]
