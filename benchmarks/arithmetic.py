"""Measure how much of this core's matrix-multiplication rate a list-maximum cell uses.

The cell has 768-d vectors, [0,999] and five shuffles, and runs on one core. In one run PyTorch counts the operations of
every matrix product, forward and backward; a second run is timed without counting. Both include drawing the lists and
answering the test lists.
"""

import statistics

import torch
from measuring import matmul_rate, record, seconds
from torch.utils.flop_counter import FlopCounterMode

from numprobe.experiments import Cell
from numprobe.experiments.laboratory import run_cell
from numprobe.kernels.device import one_thread

ONE_DNN = torch.ops.mkldnn._linear_pointwise.default


def product_flops(left: torch.Size, right: torch.Size, *others: object, **more: object) -> int:
    """The operations of one product by oneDNN, which PyTorch does not count by itself."""
    return 2 * left[0] * left[1] * right[0]


CELL = Cell.make("random:dimension=768", "list-maximum", "0:999")


def main() -> None:
    with one_thread():
        rates = [matmul_rate()]
        taken = seconds(lambda: run_cell(CELL, device="cpu"))
        rates.append(matmul_rate())
        with FlopCounterMode(display=False, custom_mapping={ONE_DNN: product_flops}) as counter:
            run_cell(CELL, device="cpu")
    rate = statistics.mean(rates)
    record(
        "768-d list-maximum cell",
        share_of_matmul_rate=counter.get_total_flops() / taken / rate,
        matmul_rate_in_GFLOP_per_second=rate / 1e9,
        arithmetic_in_TFLOP=counter.get_total_flops() / 1e12,
        seconds=taken,
    )


if __name__ == "__main__":
    main()
