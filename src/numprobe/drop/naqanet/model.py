"""NAQANet: QANet's encoder over a passage and a question, four answer heads, and the loss (Dua et al., 2019)."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from numprobe.drop.naqanet.batches import Batch
from numprobe.drop.naqanet.labels import LARGEST_COUNT
from numprobe.drop.naqanet.layers import (
    HIDDEN,
    CharacterConvolution,
    Dropout,
    EncoderBlock,
    FeedForward,
    Highway,
    Pooling,
    masked,
)
from numprobe.drop.naqanet.vocabulary import SHORTEST_WORD
from numprobe.errors import NumprobeError, at_least, at_most

MOST_BLOCKS = 64
ANSWER_HEADS = ("passage span", "question span", "sum", "count")


@dataclass(frozen=True)
class Sizes:
    """The sizes of the network; the defaults are the paper's."""

    width: int = 128
    heads: int = 8
    blocks: int = 6
    """In the modelling encoder."""
    passes: int = 4
    """How often the modelling encoder is applied; a head that needs a later pass uses the last one."""
    characters: int = 64
    filters: int = 200
    dropout: float = 0.1
    skipped: float = 0.1
    wide: bool = False
    """Whether it goes beyond the paper's model: decimals, "twenty" and "Two" are numbers, 100 may be in a sum, and an
    answer is weighed by all the ways to it."""
    matching: bool = False
    """Whether it is told, beyond the paper's model, which words of the passage stand in the question."""

    def __post_init__(self) -> None:
        at_least(1, **{name: getattr(self, name) for name in ("heads", "blocks", "passes", "characters", "filters")})
        at_most(MOST_BLOCKS, blocks=self.blocks, passes=self.passes)
        if self.width % (2 * self.heads):
            raise NumprobeError(f"width {self.width} must be a multiple of 2 × {self.heads}, twice the number of heads")
        for name in ("dropout", "skipped"):
            if not 0 <= getattr(self, name) < 1:
                raise NumprobeError(f"{name} must be at least 0 and less than 1, not {getattr(self, name)}")


SIZES = {
    "small": Sizes(width=64, heads=4, blocks=3, passes=2, characters=32, filters=64, dropout=0.0, skipped=0.0),
    "full": Sizes(),
}
"""The small one trains on two cores in an hour, without dropout, as there are always new generated questions."""


class Outputs(NamedTuple):
    """Log-probabilities, (questions, …), and the attention weights."""

    type: Tensor
    passage_start: Tensor
    passage_end: Tensor
    question_start: Tensor
    question_end: Tensor
    signs: Tensor
    """(questions, numbers, 3): unused, plus, minus. Padding is unused with probability 1."""
    counts: Tensor
    passage_weights: Tensor
    question_weights: Tensor


class NAQANet(nn.Module):
    def __init__(self, sizes: Sizes, alphabet: int, vectors: int) -> None:
        """A network for an alphabet of this size and word vectors of this width."""
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.dropout = Dropout(sizes.dropout)

        def block(convolutions: int, window: int) -> EncoderBlock:
            return EncoderBlock(width, sizes.heads, convolutions, window, sizes.dropout, sizes.skipped)

        def head(inputs: int, outputs: int) -> FeedForward:
            return FeedForward(inputs * width, width, outputs)

        self.characters = CharacterConvolution(alphabet + 2, sizes.characters, sizes.filters, SHORTEST_WORD)
        self.word = nn.Linear(vectors + sizes.filters, width)
        self.highway = Highway(width)
        self.phrase_input = nn.Linear(width, width)
        self.phrase = block(4, 7)
        self.match = nn.Linear(3 * width, 1)
        nn.init.xavier_uniform_(self.match.weight)
        self.model_input = nn.Linear(4 * width, width)
        if sizes.matching:
            self.same = nn.Parameter(torch.tensor(3.0))  # added to the similarity of two words with the same stem
            self.same_input = nn.Linear(1, width)
        self.model = nn.ModuleList(block(2, 5) for _ in range(sizes.blocks))

        self.passage_pooling = Pooling(width)
        self.question_pooling = Pooling(width)
        self.answer_type = head(2, len(ANSWER_HEADS))
        self.passage_start, self.passage_end = head(2, 1), head(2, 1)
        self.question_start, self.question_end = head(2, 1), head(2, 1)
        self.sign = head(3, 3)
        if sizes.wide:
            self.whole = nn.Parameter(torch.zeros(2 * width))  # the states of 100, which is not in the passage
        self.count = head(1, LARGEST_COUNT + 1)

    def forward(self, batch: Batch) -> Outputs:
        words = self.characters(batch.characters)
        question_mask = batch.questions != 0
        question = self._phrases(batch.question_vectors, words, batch.questions)
        passage = self._phrases(batch.passage_vectors, words, batch.passages)[batch.passage_of]
        passage_mask = (batch.passages != 0)[batch.passage_of]

        same = None
        if self.sizes.matching:
            in_passage, in_question = batch.stems[batch.passages][batch.passage_of], batch.stems[batch.questions]
            same = ((in_passage[:, :, None] == in_question[:, None]) & (in_question != 0)[:, None]).float()
        states = self.model_input(self._matched(passage, passage_mask, question, question_mask, same))
        if same is not None:
            states = states + self.same_input(same.amax(2, keepdim=True))
        modelled = []
        for _ in range(self.sizes.passes):
            for block in self.model:
                states = block(states, passage_mask)
            states = self.dropout(states)
            modelled.append(states)
        first, second, third, fourth = (modelled[min(place, self.sizes.passes - 1)] for place in range(4))

        passage_vector, passage_weights = self.passage_pooling(first, passage_mask)
        question_vector, question_weights = self.question_pooling(question, question_mask)
        question_in_passage = _with(question, passage_vector)
        numbers = batch.numbers[batch.passage_of]
        at_numbers = numbers.clamp(min=0)[..., None].expand(-1, -1, first.shape[-1])
        number_states = torch.cat((first.gather(1, at_numbers), fourth.gather(1, at_numbers)), dim=-1)
        is_number = numbers >= 0
        if self.sizes.wide:
            whole = self.whole.expand(len(numbers), 1, -1)
            number_states = torch.cat((whole, number_states), dim=1)
            is_number = nn.functional.pad(is_number, (1, 0), value=True)
        signs = torch.log_softmax(self.sign(_with(number_states, passage_vector)).float(), -1)

        def places(head: FeedForward, inputs: Tensor, mask: Tensor) -> Tensor:
            return torch.log_softmax(masked(head(inputs).squeeze(-1), mask), -1)

        return Outputs(
            type=torch.log_softmax(self.answer_type(torch.cat((passage_vector, question_vector), -1)).float(), -1),
            passage_start=places(self.passage_start, torch.cat((first, second), -1), passage_mask),
            passage_end=places(self.passage_end, torch.cat((first, third), -1), passage_mask),
            question_start=places(self.question_start, question_in_passage, question_mask),
            question_end=places(self.question_end, question_in_passage, question_mask),
            signs=signs.masked_fill(~is_number[..., None], 0),
            counts=torch.log_softmax(self.count(passage_vector).float(), -1),
            passage_weights=passage_weights,
            question_weights=question_weights,
        )

    def _phrases(self, vectors: Tensor, words: Tensor, texts: Tensor) -> Tensor:
        """Encode texts, given as vectors and as rows of `words`, with the phrase encoder."""
        known = torch.cat((vectors, nn.functional.embedding(texts, words)), dim=2)
        embedded = self.highway(self.word(self.dropout(known)))
        encoded: Tensor = self.phrase(self.phrase_input(embedded), texts != 0)
        return encoded

    def _matched(
        self, passage: Tensor, passage_mask: Tensor, question: Tensor, question_mask: Tensor, same: Tensor | None
    ) -> Tensor:
        """The passage and what it attends to in the question: (questions, tokens, 4 × width)."""
        of_passage, of_question, of_both = self.match.weight.squeeze(0).chunk(3)
        similarity = torch.bmm(passage * of_both, question.mT) + self.match.bias
        similarity = similarity + (passage @ of_passage)[:, :, None] + (question @ of_question)[:, None]
        if same is not None:
            similarity = similarity + self.same * same
        to_question = torch.softmax(masked(similarity, question_mask[:, None]), dim=2)
        to_passage = torch.softmax(masked(similarity, passage_mask[:, :, None]), dim=1)
        found = torch.bmm(to_question, question)
        returned = torch.bmm(to_question, torch.bmm(to_passage.mT, passage))
        return torch.cat((passage, found, passage * found, passage * returned), dim=-1)


def _with(states: Tensor, vector: Tensor) -> Tensor:
    """Append a vector to each state."""
    return torch.cat((states, vector[:, None].expand(-1, states.shape[1], -1)), dim=-1)


def log_likelihood(outputs: Outputs, gold: Batch) -> Tensor:
    """The log-probability, for each question, that the answer is any of its labels."""
    by_type = (
        _spans(outputs.passage_start, outputs.passage_end, gold.passage_spans),
        _spans(outputs.question_start, outputs.question_end, gold.question_spans),
        _sums(outputs.signs, gold.sums),
        _only(gold.counts >= 0, outputs.counts.gather(1, gold.counts.clamp(min=0)[:, None]).squeeze(1)),
    )
    return torch.logsumexp(outputs.type + torch.stack(by_type, dim=1), dim=1)


def _spans(start: Tensor, end: Tensor, gold: Tensor) -> Tensor:
    first, last = gold.clamp(min=0).unbind(-1)
    return torch.logsumexp(_only(gold[..., 0] >= 0, start.gather(1, first) + end.gather(1, last)), dim=1)


def _sums(signs: Tensor, gold: Tensor) -> Tensor:
    """The numbers of the sum have their signs, and all others are unused."""
    unused = signs[..., 0]
    instead = (signs - unused[..., None]).flatten(1)
    first, second = gold.clamp(min=0).unbind(-1)
    sums = unused.sum(1, keepdim=True) + instead.gather(1, first) + instead.gather(1, second)
    return torch.logsumexp(_only(gold[..., 0] >= 0, sums), dim=1)


def _only(there: Tensor, values: Tensor) -> Tensor:
    return values.masked_fill(~there, HIDDEN)
