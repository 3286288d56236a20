"""NAQANet: QANet's encoder over a passage and a question, and four ways to answer (Dua et al., 2019)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from numprobe.drop.naqanet.batches import Batch
from numprobe.drop.naqanet.labels import LARGEST_COUNT
from numprobe.drop.naqanet.layers import (
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
ANSWER_TYPES = ("passage span", "question span", "sum", "count")


@dataclass(frozen=True)
class Sizes:
    """The paper's sizes are the defaults."""

    width: int = 128
    heads: int = 8
    blocks: int = 6
    """Of the modelling encoder."""
    passes: int = 4
    """How often the modelling encoder is applied; a head that asks for a later pass takes the last."""
    characters: int = 64
    filters: int = 200
    dropout: float = 0.1
    skipped: float = 0.1

    def __post_init__(self) -> None:
        at_least(1, **{name: getattr(self, name) for name in ("heads", "blocks", "passes", "characters", "filters")})
        at_most(MOST_BLOCKS, blocks=self.blocks, passes=self.passes)
        if self.width % (2 * self.heads):
            raise NumprobeError(f"width {self.width} must be even, and a multiple of the {self.heads} heads")
        for name in ("dropout", "skipped"):
            if not 0 <= getattr(self, name) < 1:
                raise NumprobeError(f"{name} must be at least 0 and less than 1, not {getattr(self, name)}")


FULL = Sizes()
SMALL = Sizes(width=64, heads=4, blocks=3, passes=2, characters=32, filters=64, dropout=0.0, skipped=0.0)
"""What two cores train in an hour on generated questions; of those there are always new ones, so nothing is dropped."""
SIZES = {"small": SMALL, "full": FULL}


@dataclass(frozen=True)
class Outputs:
    """Log-probabilities, (questions, …), and what the model attended to."""

    type: Tensor
    passage_start: Tensor
    passage_end: Tensor
    question_start: Tensor
    question_end: Tensor
    signs: Tensor
    """(questions, numbers, 3): unused, plus, minus. What is no number is surely unused."""
    count: Tensor
    passage_weights: Tensor
    question_weights: Tensor


class NAQANet(nn.Module):
    def __init__(self, sizes: Sizes, alphabet: int, vectors: int) -> None:
        """For so many characters, and word vectors of some width."""
        super().__init__()
        width = sizes.width
        self.passes = sizes.passes
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
        self.model = nn.ModuleList(block(2, 5) for _ in range(sizes.blocks))

        self.passage_pooling = Pooling(width)
        self.question_pooling = Pooling(width)
        self.answer_type = head(2, len(ANSWER_TYPES))
        self.passage_start, self.passage_end = head(2, 1), head(2, 1)
        self.question_start, self.question_end = head(2, 1), head(2, 1)
        self.sign = head(3, 3)
        self.count = head(1, LARGEST_COUNT + 1)

    def forward(self, batch: Batch) -> Outputs:
        words = torch.cat((batch.vectors, self.characters(batch.characters)), dim=1)
        question_mask = batch.questions != 0
        question = self._phrases(words, batch.questions)
        passage = self._phrases(words, batch.passages)[batch.passage_of]
        passage_mask = (batch.passages != 0)[batch.passage_of]

        states = self.model_input(self._matched(passage, passage_mask, question, question_mask))
        modelled = []
        for _ in range(self.passes):
            for block in self.model:
                states = block(states, passage_mask)
            states = self.dropout(states)
            modelled.append(states)
        first, second, third, fourth = (modelled[min(place, self.passes - 1)] for place in range(4))

        passage_vector, passage_weights = self.passage_pooling(first, passage_mask)
        question_vector, question_weights = self.question_pooling(question, question_mask)
        question_in_passage = _with(question, passage_vector)
        numbers = batch.numbers[batch.passage_of]
        at_numbers = numbers.clamp(min=0)[..., None].expand(-1, -1, first.shape[-1])
        number_states = torch.cat((first.gather(1, at_numbers), fourth.gather(1, at_numbers)), dim=-1)
        signs = torch.log_softmax(self.sign(_with(number_states, passage_vector)).float(), -1)

        def places(head: FeedForward, inputs: Tensor, mask: Tensor) -> Tensor:
            return torch.log_softmax(masked(head(inputs).squeeze(-1), mask), -1)

        return Outputs(
            type=torch.log_softmax(self.answer_type(torch.cat((passage_vector, question_vector), -1)).float(), -1),
            passage_start=places(self.passage_start, torch.cat((first, second), -1), passage_mask),
            passage_end=places(self.passage_end, torch.cat((first, third), -1), passage_mask),
            question_start=places(self.question_start, question_in_passage, question_mask),
            question_end=places(self.question_end, question_in_passage, question_mask),
            signs=signs.masked_fill((numbers < 0)[..., None], 0),
            count=torch.log_softmax(self.count(passage_vector).float(), -1),
            passage_weights=passage_weights,
            question_weights=question_weights,
        )

    def _phrases(self, words: Tensor, texts: Tensor) -> Tensor:
        """Texts, as rows of the words, after the phrase encoder."""
        embedded = self.highway(self.word(self.dropout(nn.functional.embedding(texts, words))))
        encoded: Tensor = self.phrase(self.phrase_input(embedded), texts != 0)
        return encoded

    def _matched(self, passage: Tensor, passage_mask: Tensor, question: Tensor, question_mask: Tensor) -> Tensor:
        """The passage beside what it finds in the question: (questions, tokens, 4 × width)."""
        of_passage, of_question, of_both = self.match.weight.squeeze(0).chunk(3)
        similarity = torch.bmm(passage * of_both, question.mT) + self.match.bias
        similarity = similarity + (passage @ of_passage)[:, :, None] + (question @ of_question)[:, None]
        to_question = torch.softmax(masked(similarity, question_mask[:, None]), dim=2)
        to_passage = torch.softmax(masked(similarity, passage_mask[:, :, None]), dim=1)
        found = torch.bmm(to_question, question)
        returned = torch.bmm(to_question, torch.bmm(to_passage.mT, passage))
        return torch.cat((passage, found, passage * found, passage * returned), dim=-1)


def _with(states: Tensor, vector: Tensor) -> Tensor:
    """A vector beside each state."""
    return torch.cat((states, vector[:, None].expand(-1, states.shape[1], -1)), dim=-1)
