"""The layers of QANet. Texts are (texts, tokens, width); masks are True for tokens and False for padding."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

HIDDEN = -1e30
"""The logit of masked entries: finite, as a sum over infinities alone has no gradient."""


class Dropout(nn.Module):
    """Dropout that draws one byte per element, twice as fast as PyTorch's on a CPU; rates are rounded to 1/256."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.dropped = round(256 * rate)
        """Of 256."""

    def forward(self, inputs: Tensor) -> Tensor:
        if not self.training or not self.dropped:
            return inputs
        count = inputs.numel()
        drawn = torch.empty(-(-count // 8), dtype=torch.int64, device=inputs.device).random_(-(2**63), None)
        kept = drawn.view(torch.uint8)[:count].view(inputs.shape) >= self.dropped
        return inputs * (kept * (256 / (256 - self.dropped))).to(inputs.dtype)


class CharacterConvolution(nn.Module):
    """A convolution over the characters of a word, and the maximum over its positions."""

    def __init__(self, characters: int, width: int, filters: int, window: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, width, padding_idx=0)
        self.convolution = nn.Linear(window * width, filters)
        self.window = window

    def forward(self, characters: Tensor) -> Tensor:
        """(words, longest) to (words, filters)."""
        windows = self.embedding(characters).unfold(1, self.window, 1).flatten(2)
        # Keep the windows inside the word, or the first one if it is shorter: the others depend on the padding.
        last = (characters != 0).sum(1, keepdim=True) - self.window
        inside = torch.arange(windows.shape[1], device=characters.device) <= last.clamp(min=0)
        return F.relu(self.convolution(windows).masked_fill(~inside[..., None], HIDDEN).amax(1))


class Highway(nn.Module):
    """Gates between the input and the output of a layer; at first they mostly pass the input."""

    def __init__(self, width: int, depth: int = 2) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(depth))
        for layer in self.layers:
            nn.init.ones_(layer.bias[width:])  # type: ignore[index]

    def forward(self, inputs: Tensor) -> Tensor:
        for layer in self.layers:
            new, gate = layer(inputs).chunk(2, dim=-1)
            inputs = torch.lerp(F.relu(new), inputs, torch.sigmoid(gate))
        return inputs


class SeparableConvolution(nn.Module):
    """A convolution of each feature over time, then a linear layer over the features of each token."""

    def __init__(self, width: int, window: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(window)
        self.over_time = nn.Parameter(torch.empty(window, width).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(width).uniform_(-bound, bound))
        self.over_features = nn.Linear(width, width)

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        # Mask first: a token must not see padding.
        return F.relu(self.over_features(over_time(inputs * mask[..., None], self.over_time, self.bias)))


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.projected = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        query, key, value = self.projected(inputs).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None])
        return self.output(attended.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


class FeedForward(nn.Module):
    """Two layers applied to each token separately, whatever the mask."""

    def __init__(self, inputs: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.output = nn.Linear(hidden, outputs)

    def forward(self, inputs: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.output(F.relu(self.hidden(inputs)))  # type: ignore[no-any-return]


class EncoderBlock(nn.Module):
    """Convolutions, self-attention and a feed-forward layer, each with a norm before it and a residual connection."""

    def __init__(self, width: int, heads: int, convolutions: int, window: int, dropout: float, skipped: float) -> None:
        super().__init__()
        convolve = (SeparableConvolution(width, window) for _ in range(convolutions))
        self.layers = nn.ModuleList([*convolve, SelfAttention(width, heads), FeedForward(width, width, width)])
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in self.layers)
        self.dropout = Dropout(dropout)
        self.skipped = skipped
        """How often training skips the last layer; earlier layers are skipped less often."""

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        _, tokens, width = inputs.shape
        states = inputs.float() + positions(tokens, width, inputs.device)
        for place, (norm, layer) in enumerate(zip(self.norms, self.layers, strict=True), 1):
            skipped = self.skipped * place / len(self.layers)
            if self.training and torch.rand(()).item() < skipped:
                continue
            new = self.dropout(layer(self.dropout(norm(states)), mask))
            states = torch.add(states, new, alpha=1 if self.training else 1 - skipped)
        return states


class Pooling(nn.Module):
    """The weighted mean of the tokens of a text, with learned weights."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Linear(width, 1)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(texts, width), and the weights (texts, tokens)."""
        weights = torch.softmax(masked(self.weight(states).squeeze(-1), mask), -1)
        return torch.bmm(weights[:, None], states).squeeze(1), weights


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    return logits.float().masked_fill(~mask, HIDDEN)


def positions(length: int, width: int, device: torch.device) -> Tensor:
    """(length, width): sines in the first half, cosines in the second."""
    half = width // 2
    rates = torch.exp(torch.arange(half, device=device) * (-math.log(10_000) / max(half - 1, 1)))
    angles = torch.arange(length, device=device)[:, None] * rates
    return torch.cat((angles.sin(), angles.cos()), dim=1)


class _OverTime(torch.autograd.Function):
    """A depthwise convolution, (texts, tokens, width) with (window, width) weights, as a sum of shifted products.

    On a CPU it is twice as fast as PyTorch's grouped convolution.
    """

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        window, tokens = len(weight), inputs.shape[1]
        padded = F.pad(inputs, (0, 0, (window - 1) // 2, window // 2))
        ctx.save_for_backward(padded, weight)
        made = torch.addcmul(bias, padded[:, :tokens], weight[0])
        for place in range(1, window):
            made.addcmul_(padded[:, place : place + tokens], weight[place])
        return made

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        padded, weight = ctx.saved_tensors
        window, tokens = len(weight), gradient.shape[1]
        to_padded, to_weight = torch.zeros_like(padded), torch.empty_like(weight)
        for place in range(window):
            seen = slice(place, place + tokens)
            to_padded[:, seen].addcmul_(gradient, weight[place])
            to_weight[place] = (padded[:, seen] * gradient).sum((0, 1))
        before = (window - 1) // 2
        return to_padded[:, before : before + tokens], to_weight, gradient.sum((0, 1))


def over_time(inputs: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """A convolution of each feature separately, with zeros before and after the text."""
    return _OverTime.apply(inputs, weight, bias)  # type: ignore[no-any-return, no-untyped-call]
