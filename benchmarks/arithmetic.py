"""How much arithmetic a list-maximum cell executes per second, as a share of this core's matrix-multiplication rate.

768-d vectors, [0,999], five shuffles, on one core. PyTorch counts the operations of every matrix product, forward and
backward, in one run; another run, without counting, is timed. Drawing the lists and answering the test lists included.
"""

import statistics

from measuring import matmul_rate, record, seconds
from torch.utils.flop_counter import FlopCounterMode

from numprobe.experiments import Cell
from numprobe.experiments.execute import execute, one_thread

CELL = Cell.make("random:dimension=768", "list-maximum", "0:999", protocol="paper")


def main() -> None:
    with one_thread():
        rates = [matmul_rate()]
        taken = seconds(lambda: execute(CELL, device="cpu"))
        rates.append(matmul_rate())
        with FlopCounterMode(display=False) as counter:
            execute(CELL, device="cpu")
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
