"""The graph of an ONNX file, run by onnxruntime."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from numprobe.embedders.sources import local_file
from numprobe.errors import NumprobeError
from numprobe.files.reading import one_line_errors
from numprobe.files.untrusted import shortened

EXTRA = "onnx"
STATES = "last_hidden_state"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
KINDS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}

OLDEST = (1, 24)
"""Older versions of onnxruntime read the data of a model from any path that it names."""

TRIED = 8
"""Pieces of the texts that a model is tried with."""
CLOSE = 1e-4
"""How far apart vectors of one text may be, relative to their length, to count as equal but for rounding."""


@dataclass(frozen=True)
class Graph:
    """A model, and what was found out about it by trying it."""

    session: Any
    inputs: dict[str, Any]
    """What it asks for, and as which numbers."""
    length: int
    """Pieces that every text has to have, with padding; 0 for any number."""
    output: str = ""
    pools: bool = False
    """Whether the output is one vector per text, and not one per piece."""
    takes_one: bool = False
    """Whether it has to be given one text at a time."""

    def run(self, texts: Sequence[Sequence[int]]) -> np.ndarray:
        """(texts, pieces, dimension), or (texts, dimension) if it pools. All texts have as many pieces."""
        (found,) = self.outputs([self.output], texts)
        if len(found) != len(texts):
            raise NumprobeError(f"it gives vectors of {len(found)} texts for {len(texts)}")
        return found if self.pools else found[:, : len(texts[0])]

    def outputs(self, names: list[str], texts: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """Some of its outputs, as they are."""
        count = len(texts[0])
        if self.length and count > self.length:
            raise NumprobeError(f"{count} pieces are more than {self.length}")
        ids = np.zeros((len(texts), self.length or count), np.int64)
        ids[:, :count] = texts
        inside = np.zeros_like(ids)
        inside[:, :count] = 1
        given = dict(zip(INPUTS, (ids, inside, np.zeros_like(ids)), strict=True))
        found: list[np.ndarray] = self.session.run(
            names, {name: given[name].astype(kind) for name, kind in self.inputs.items()}
        )
        return found

    def reads(self, texts: Sequence[Sequence[int]]) -> bool:
        """Whether it can read texts."""
        try:
            return bool(self.run(texts).size)
        except Exception:  # onnxruntime's have no common class
            return False

    def depends_on_neighbours(self, highest: int) -> bool:
        """Whether a vector depends on the texts that are read at the same time, or only one can be.

        A model with dynamic quantisation rounds all texts of a batch on one scale, so its vectors would be off by as
        much as a tenth. Other models were exported with one text, and fail with two.
        """
        pieces = min(TRIED, self.length or TRIED)
        both = np.linspace(0, highest, 2 * pieces, dtype=np.int64).reshape(2, pieces).tolist()
        if not self.reads(both):
            return True
        together, alone = self.run(both), np.concatenate([self.run([one]) for one in both])
        apart = np.linalg.norm(together - alone, axis=-1)
        return not bool((apart <= CLOSE * np.linalg.norm(alone, axis=-1)).all())


def load_graph(model: str) -> Graph:
    """Load a model and find its output; `takes_one` is left to who knows the pieces."""
    path = local_file(model)
    with one_line_errors(model, "load", EXTRA):
        import onnxruntime

        if tuple(map(int, onnxruntime.__version__.split(".")[:2])) < OLDEST:
            raise NumprobeError(f'{model} needs onnxruntime 1.24 or newer: pip install "numprobe[{EXTRA}]"')
        options = onnxruntime.SessionOptions()
        # One thread adds up in one order, so that vectors are the same to the byte beside any number of workers.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what it logs below that, it also raises
        session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"], enable_fallback=0)
    inputs = {own.name: own for own in session.get_inputs()}
    strange = [name for name, own in inputs.items() if name not in INPUTS or own.type not in KINDS]
    if strange or INPUTS[0] not in inputs:
        asked = ", ".join(f"{shortened(name)} ({own.type})" for name, own in list(inputs.items())[:5]) or "nothing"
        raise NumprobeError(f"{model} asks for {asked}; numprobe gives {', '.join(INPUTS)}, as whole numbers")
    shape = inputs[INPUTS[0]].shape
    length = shape[1] if len(shape) == 2 and isinstance(shape[1], int) else 0
    if length and INPUTS[1] not in inputs:
        raise NumprobeError(f"{model} reads exactly {length} pieces, and asks for no attention_mask to hide padding")
    graph = Graph(session, {name: KINDS[own.type] for name, own in inputs.items()}, length)
    # The states of a named last layer come first; without states, the model pools by itself.
    names = sorted((own.name for own in session.get_outputs()), key=lambda name: name != STATES)
    with one_line_errors(model, "run"):
        dimensions = [np.ndim(found) for found in graph.outputs(names, [[0]])]
    for count in (3, 2):
        if count in dimensions:
            return replace(graph, output=names[dimensions.index(count)], pools=count == 2)
    raise NumprobeError(f"{model} gives no vectors: its outputs have {', '.join(map(str, dimensions))} dimensions")
