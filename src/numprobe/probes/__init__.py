"""Who answers: linear regression, MLP, BiLSTM, and the one engine that trains them.

What trains is imported from its module, so that a command that trains nothing does not import PyTorch.
"""

from numprobe.probes.recipes import PENALTIES, PROBES, PROTOCOLS, RECIPES, Recipe

__all__ = ["PENALTIES", "PROBES", "PROTOCOLS", "RECIPES", "Recipe"]
