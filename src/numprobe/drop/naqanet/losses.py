"""The loss of NAQANet: it asks only that some valid way to the answer is probable."""

import torch
from torch import Tensor

from numprobe.drop.naqanet.batches import Gold
from numprobe.drop.naqanet.layers import HIDDEN
from numprobe.drop.naqanet.model import Outputs


def log_likelihood(outputs: Outputs, gold: Gold) -> Tensor:
    """The logarithm of the probability of all labels together, for each question."""
    by_type = (
        _spans(outputs.passage_start, outputs.passage_end, gold.passage_spans),
        _spans(outputs.question_start, outputs.question_end, gold.question_spans),
        _sums(outputs.signs, gold.sums),
        _only(gold.counts >= 0, outputs.count.gather(1, gold.counts.clamp(min=0)[:, None]).squeeze(1)),
    )
    return torch.logsumexp(outputs.type + torch.stack(by_type, dim=1), dim=1)


def _spans(start: Tensor, end: Tensor, gold: Tensor) -> Tensor:
    first, last = gold.clamp(min=0).unbind(-1)
    return torch.logsumexp(_only(gold[..., 0] >= 0, start.gather(1, first) + end.gather(1, last)), dim=1)


def _sums(signs: Tensor, gold: Tensor) -> Tensor:
    """All numbers unused, but for the one or two of the sum."""
    unused = signs[..., 0]
    instead = (signs - unused[..., None]).flatten(1)
    first, second = gold.clamp(min=0).unbind(-1)
    sums = unused.sum(1, keepdim=True) + instead.gather(1, first) + instead.gather(1, second)
    return torch.logsumexp(_only(gold[..., 0] >= 0, sums), dim=1)


def _only(there: Tensor, values: Tensor) -> Tensor:
    return values.masked_fill(~there, HIDDEN)
