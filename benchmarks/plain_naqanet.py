"""A straightforward NAQANet: one row per question, every word of it embedded, nothing fused.

It uses the weights of `numprobe.drop.naqanet` and, without dropout, gives the same outputs.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from numprobe.drop.naqanet.batches import Batch
from numprobe.drop.naqanet.layers import HIDDEN, EncoderBlock, FeedForward, SelfAttention, SeparableConvolution
from numprobe.drop.naqanet.model import NAQANet, Outputs


class Plain(nn.Module):
    def __init__(self, model: NAQANet, dropout: float) -> None:
        super().__init__()
        self.model, self.rate = model, dropout

    def forward(self, batch: Batch) -> Outputs:
        model = self.model
        passages, numbers = batch.passages[batch.passage_of], batch.numbers[batch.passage_of]
        passage_mask, question_mask = passages != 0, batch.questions != 0
        passage, question = (
            self.encoded(batch, vectors, words)
            for vectors, words in (
                (batch.passage_vectors[batch.passage_of], passages),
                (batch.question_vectors, batch.questions),
            )
        )

        rows = passage[:, :, None].expand(-1, -1, question.shape[1], -1)
        columns = question[:, None].expand(-1, passage.shape[1], -1, -1)
        similarity = model.match(torch.cat((rows, columns, rows * columns), -1)).squeeze(-1)
        to_question = (similarity + hidden(question_mask)[:, None]).softmax(2)
        to_passage = (similarity + hidden(passage_mask)[:, :, None]).softmax(1)
        found = to_question @ question
        returned = to_question @ to_passage.mT @ passage
        states = model.model_input(torch.cat((passage, found, passage * found, passage * returned), -1))
        modelled = []
        for _ in range(model.sizes.passes):
            for block in model.model:
                states = self.block(block, states, passage_mask)
            states = self.dropped(states)
            modelled.append(states)
        m0, m1, m2, m3 = (modelled[min(place, model.sizes.passes - 1)] for place in range(4))

        pooled, weights = [], []
        for pooling, text, mask in (
            (model.passage_pooling, m0, passage_mask),
            (model.question_pooling, question, question_mask),
        ):
            weights.append((pooling.weight(text).squeeze(-1) + hidden(mask)).softmax(-1))
            pooled.append((weights[-1][..., None] * text).sum(1))
        beside = torch.cat((question, pooled[0][:, None].expand_as(question)), -1)
        rows = torch.arange(len(numbers))[:, None]
        at_numbers = torch.cat((m0[rows, numbers], m3[rows, numbers]), -1)
        at_numbers = torch.cat((at_numbers, pooled[0][:, None].expand(-1, numbers.shape[1], -1)), -1)

        def places(head: FeedForward, inputs: Tensor, mask: Tensor) -> Tensor:
            return (head(inputs).squeeze(-1) + hidden(mask)).log_softmax(-1)

        return Outputs(
            type=model.answer_type(torch.cat(pooled, -1)).log_softmax(-1),
            passage_start=places(model.passage_start, torch.cat((m0, m1), -1), passage_mask),
            passage_end=places(model.passage_end, torch.cat((m0, m2), -1), passage_mask),
            question_start=places(model.question_start, beside, question_mask),
            question_end=places(model.question_end, beside, question_mask),
            signs=model.sign(at_numbers).log_softmax(-1) * (numbers >= 0)[..., None],
            counts=model.count(pooled[0]).log_softmax(-1),
            passage_weights=weights[0],
            question_weights=weights[1],
        )

    def encoded(self, batch: Batch, vectors: Tensor, words: Tensor) -> Tensor:
        model = self.model
        read = batch.characters[words]
        rows, tokens, longest = read.shape
        letters = model.characters.embedding(read).view(rows * tokens, longest, -1).transpose(1, 2)
        width, window = letters.shape[1], model.characters.window
        convolution = model.characters.convolution
        made = F.conv1d(letters, convolution.weight.view(-1, width, window), convolution.bias)
        last = (read.view(rows * tokens, -1) != 0).sum(1, keepdim=True) - window
        inside = torch.arange(made.shape[2]) <= last.clamp(min=0)
        characters = made.masked_fill(~inside[:, None], HIDDEN).relu().amax(2).view(rows, tokens, -1)
        inputs = model.word(self.dropped(torch.cat((vectors, characters), -1)))
        for layer in model.highway.layers:
            new, gate = layer(inputs).chunk(2, -1)
            gate = gate.sigmoid()
            inputs = gate * inputs + (1 - gate) * new.relu()
        return self.block(model.phrase, model.phrase_input(inputs), words != 0)

    def block(self, block: EncoderBlock, states: Tensor, mask: Tensor) -> Tensor:
        tokens, width = states.shape[1:]
        rates = torch.exp(-math.log(10_000) * torch.arange(width // 2) / (width // 2 - 1))
        angles = torch.arange(tokens)[:, None] * rates
        states = states + torch.cat((angles.sin(), angles.cos()), 1)
        for place, (norm, layer) in enumerate(zip(block.norms, block.layers, strict=True), 1):
            skipped = block.skipped * place / len(block.layers)
            if self.training and torch.rand(()) < skipped:
                continue
            new = self.dropped(self.layer(layer, self.dropped(norm(states)), mask))
            states = states + (new if self.training else (1 - skipped) * new)
        return states

    def layer(self, layer: nn.Module, states: Tensor, mask: Tensor) -> Tensor:
        if isinstance(layer, SeparableConvolution):
            weight = layer.over_time.T[:, None]
            inputs = (states * mask[..., None]).transpose(1, 2)
            depthwise = F.conv1d(inputs, weight, layer.bias, padding=weight.shape[2] // 2, groups=len(weight))
            pointwise = F.conv1d(depthwise, layer.over_features.weight[..., None], layer.over_features.bias)
            return pointwise.relu().transpose(1, 2)
        if isinstance(layer, SelfAttention):
            query, key, value = (
                part.unflatten(-1, (layer.heads, -1)).transpose(1, 2) for part in layer.projected(states).chunk(3, -1)
            )
            scores = query @ key.mT / math.sqrt(query.shape[-1]) + hidden(mask)[:, None, None]
            return layer.output((scores.softmax(-1) @ value).transpose(1, 2).flatten(2))
        return layer(states)

    def dropped(self, states: Tensor) -> Tensor:
        return F.dropout(states, self.rate, self.training)


def hidden(mask: Tensor) -> Tensor:
    return torch.zeros(mask.shape).masked_fill(~mask, HIDDEN)
