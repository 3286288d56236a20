"""Small networks as functions over a bank's weights."""

from numprobe.networks.layers import bilstm, bilstm_layout, concatenated, linear_layout, look_up, spread
from numprobe.networks.parameters import Layout, Parameter, Weights, initial

__all__ = [
    "Layout",
    "Parameter",
    "Weights",
    "bilstm",
    "bilstm_layout",
    "concatenated",
    "initial",
    "linear_layout",
    "look_up",
    "spread",
]
