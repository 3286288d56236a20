"""Small networks as functions over a bank's weights."""

from numprobe.networks.layers import bilstm, bilstm_layout, linear_layout, look_up, project
from numprobe.networks.parameters import Layout, Parameter, Weights, initial, unpack

__all__ = [
    "Layout",
    "Parameter",
    "Weights",
    "bilstm",
    "bilstm_layout",
    "initial",
    "linear_layout",
    "look_up",
    "project",
    "unpack",
]
