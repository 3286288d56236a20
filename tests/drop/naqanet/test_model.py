from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from numprobe.drop.data import GoldAnswer, Passage, Question
from numprobe.drop.naqanet.batches import Batch, collate
from numprobe.drop.naqanet.layers import CharacterConvolution, Dropout, over_time
from numprobe.drop.naqanet.learner import seeded
from numprobe.drop.naqanet.model import SIZES, NAQANet, Outputs, log_likelihood
from numprobe.drop.naqanet.reading import to_answer, to_learn
from tests.drop.naqanet.conftest import TINY, untrained


def test_the_full_model_has_the_size_in_the_paper() -> None:
    network, d = NAQANet(SIZES["full"], alphabet=100, vectors=300), 128

    def linear(inputs: int, outputs: int) -> int:
        return inputs * outputs + outputs

    def block(convolutions: int, window: int) -> int:
        norms = (convolutions + 2) * 2 * d
        convolve = convolutions * ((window + 1) * d + linear(d, d))
        return norms + convolve + linear(d, 3 * d) + linear(d, d) + 2 * linear(d, d)

    def head(inputs: int, outputs: int) -> int:
        return linear(inputs * d, d) + linear(d, outputs)

    embedding = 102 * 64 + linear(5 * 64, 200) + linear(500, d) + 2 * linear(d, 2 * d)
    encoder = linear(d, d) + block(4, 7) + linear(3 * d, 1) + linear(4 * d, d) + 6 * block(2, 5)
    heads = 2 * linear(d, 1) + head(2, 4) + 4 * head(2, 1) + head(3, 3) + head(1, 10)
    assert sum(weight.numel() for weight in network.parameters()) == embedding + encoder + heads
    assert network.sizes.passes == 4
    assert (network.highway.layers[0].bias[d:] == 1).all()


def test_the_small_model_is_under_10_megabytes() -> None:
    weights = sum(weight.numel() for weight in NAQANet(SIZES["small"], alphabet=100, vectors=300).parameters())
    assert weights * 4 < 10e6


def test_outputs_are_log_probabilities(generated: tuple[Passage, ...]) -> None:
    readings = list(to_learn(generated))
    reader = untrained(generated)
    batch = collate(readings, reader.alphabet, reader.words)
    outputs = reader.network(batch)
    questions = len(batch.questions)
    assert outputs.type.shape == (questions, 4)
    assert outputs.counts.shape == (questions, 10)
    assert outputs.passage_start.shape == outputs.passage_end.shape == (questions, batch.passages.shape[1])
    assert outputs.question_start.shape == batch.questions.shape
    assert outputs.signs.shape == (questions, batch.numbers.shape[1], 3)
    for name in ("type", "counts", "passage_start", "passage_end", "question_start", "question_end"):
        torch.testing.assert_close(getattr(outputs, name).exp().sum(-1), torch.ones(questions))
    padding = (batch.passages == 0)[batch.passage_of]
    assert padding.any()
    assert (outputs.passage_start.exp()[padding] == 0).all()


@pytest.mark.parametrize("matching", [False, True])
def test_outputs_do_not_depend_on_the_rest_of_the_batch(generated: tuple[Passage, ...], matching: bool) -> None:
    """A passage has the same outputs alone and among others, in any order."""
    reader = untrained(generated, replace(TINY, matching=matching))
    reader.network.eval()
    longer = replace(generated[0], id="long", text=" ".join([generated[0].text] * 3 + ["antidisestablishmentarianism"]))
    readings = list(to_answer([*generated, longer]))

    def outputs(order: list[int]) -> dict[str, Outputs]:
        part = [readings[place] for place in order]
        together = reader.network(collate(part, reader.alphabet, reader.words))
        ids = [(place, question.id) for place in order for question in readings[place].questions]
        rows = zip(*together, strict=True)
        return {f"{name}": Outputs(*row) for name, row in zip(ids, rows, strict=True)}

    with torch.no_grad():
        among = outputs([8, 3, 1, 0, 2])
        for place in (0, 1, 3):
            for name, alone in outputs([place]).items():
                for one, other in zip(alone, among[name], strict=True):
                    torch.testing.assert_close(one, other[tuple(map(slice, one.shape))], atol=1e-5, rtol=1e-4)


def test_gradients_reach_every_weight(generated: tuple[Passage, ...]) -> None:
    reader = untrained(generated, replace(TINY, passes=4, dropout=0.1, skipped=0.0, matching=True))
    batch = collate(list(to_learn(generated)), reader.alphabet, reader.words)
    log_likelihood(reader.network(batch), batch).mean().backward()
    for name, weight in reader.network.named_parameters():
        # A constant beside all logits of a softmax changes nothing.
        is_constant = name.endswith("pooling.weight.bias") or name in _CONSTANTS
        assert weight.grad is not None, name
        assert is_constant or weight.grad.abs().max() > 0, name


_CONSTANTS = {
    "match.bias",
    *(f"{which}_{end}.output.bias" for which in ("passage", "question") for end in ("start", "end")),
}


def test_matching_tells_which_words_stand_in_the_question() -> None:
    def asked(text: str) -> Question:
        return Question(text, text, GoldAnswer(number="12"))

    passage = Passage("p", "In 2010 there were 12 Germans.", (asked("Any german?"), asked("Any Irish?")))
    reader = untrained([passage], replace(TINY, matching=True))
    reader.network.eval()
    batch = collate(list(to_answer([passage])), reader.alphabet, reader.words)
    with torch.no_grad():
        told = reader.network(batch).passage_start
        untold = reader.network(batch._replace(stems=torch.zeros_like(batch.stems))).passage_start
    assert not torch.allclose(told[0], untold[0])  # Germans
    torch.testing.assert_close(told[1], untold[1])


def labelled(passage_spans: Tensor, question_spans: Tensor, sums: Tensor, counts: Tensor) -> Batch:
    """A batch with labels alone."""
    return Batch(*[torch.empty(0)] * 8, passage_spans, question_spans, sums, counts)


def test_the_loss_sums_over_all_labels() -> None:
    """Compare with an explicit sum, for a question with labels of all four types."""
    with seeded(0, "logits"):
        drawn = {name: torch.randn(1, size) for name, size in (("type", 4), ("start", 6), ("end", 6), ("count", 10))}
        signs = torch.randn(1, 3, 3).log_softmax(-1)
    type_, start, end, count = (drawn[name].log_softmax(-1) for name in ("type", "start", "end", "count"))
    nothing = torch.zeros(1, 6)
    outputs = Outputs(type_, start, end, start, end, signs, count, nothing, nothing)
    gold = labelled(
        passage_spans=torch.tensor([[[0, 1], [3, 3], [-1, -1]]]),
        question_spans=torch.tensor([[[2, 5]]]),
        sums=torch.tensor([[[3 * 1 + 1, 0], [3 * 0 + 1, 3 * 2 + 2], [-1, -1]]]),
        counts=torch.tensor([7]),
    )
    p = [each[0].exp() for each in (type_, start, end, signs, count)]
    passage = p[1][0] * p[2][1] + p[1][3] * p[2][3]
    sums = p[3][0, 0] * p[3][1, 1] * p[3][2, 0] + p[3][0, 1] * p[3][1, 0] * p[3][2, 2]
    wanted = p[0] @ torch.stack((passage, p[1][2] * p[2][5], sums, p[4][7]))
    torch.testing.assert_close(log_likelihood(outputs, gold).exp(), wanted[None])


def test_a_type_without_labels_adds_nothing() -> None:
    none = torch.full((1, 1, 2), -1)
    gold = labelled(none, none, none, torch.tensor([3]))
    logits = torch.zeros(1, 4).log_softmax(-1)
    place = torch.zeros(1, 5).log_softmax(-1)
    signs = torch.zeros(1, 1, 3).log_softmax(-1)
    count = torch.zeros(1, 10).log_softmax(-1).requires_grad_()
    found = log_likelihood(Outputs(logits, place, place, place, place, signs, count, place, place), gold)
    torch.testing.assert_close(found.exp(), torch.tensor([1 / 40]))
    found.sum().backward()
    assert count.grad is not None
    assert count.grad.isfinite().all()


@pytest.mark.parametrize("window", [5, 7])
def test_over_time_is_a_depthwise_convolution(window: int) -> None:
    with seeded(0, "convolution"):
        shapes = ((2, 9, 4), (window, 4), (4,))
        inputs, weight, bias = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
    grouped = F.conv1d(inputs.mT, weight.T[:, None], bias, padding=window // 2, groups=4).mT
    torch.testing.assert_close(over_time(inputs, weight, bias), grouped)
    assert torch.autograd.gradcheck(over_time, (inputs, weight, bias))


def test_dropout_keeps_the_mean() -> None:
    dropout, ones = Dropout(0.1), torch.ones(1000, 101)
    with seeded(0, "dropout"):
        dropped = dropout(ones)
    assert abs((dropped == 0).float().mean() - 26 / 256) < 0.005
    torch.testing.assert_close(dropped.mean(), torch.tensor(1.0), atol=0.01, rtol=0)
    # Also along both axes: the draws are independent of the place.
    assert (dropped == 0).float().mean(0).std() < 0.02
    assert dropout.eval()(ones) is ones


def test_a_word_does_not_depend_on_longer_ones() -> None:
    convolution = CharacterConvolution(10, 4, 8, window=5)
    torch.nn.init.constant_(convolution.convolution.bias, 1.0)  # windows of padding alone would be seen
    short = torch.tensor([[2, 3, 0, 0, 0], [2, 3, 4, 5, 6]])
    longer: Tensor = F.pad(short, (0, 7))
    torch.testing.assert_close(convolution(short), convolution(longer))
