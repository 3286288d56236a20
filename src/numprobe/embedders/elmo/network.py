"""ELMo's network: from characters to words, and from words to words in context (Peters et al., 2018)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from numprobe.embedders.elmo.files import LSTM_LAYERS, Options, lstm_name

BEGIN_SENTENCE, END_SENTENCE, BEGIN_WORD, END_WORD, PADDING = range(256, 261)
"""The ids after the 256 bytes, as rows of the published embeddings (AllenNLP's ids are one higher)."""

WORDS = 512
"""Words that are convolved at once, which bounds memory."""


def characters(word: str, most: int) -> list[int]:
    """The bytes of a word between its begin and end, cut to `most`.

    >>> characters("75", 50), characters("75", 3)
    ([258, 55, 53, 259], [258, 55, 259])
    """
    return [BEGIN_WORD, *word.encode("utf-8", "ignore")[: most - 2], END_WORD]


@dataclass(frozen=True)
class Network:
    """The network with its weights, which keep their published names and layout."""

    options: Options
    weights: Mapping[str, Tensor]

    @torch.no_grad()
    def read(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Return the (3, sentences, places, 2 × dimension) layers.

        The words of a sentence are at places 1, 2, …, between its begin and its end.
        """
        rows = [
            [
                [BEGIN_WORD, BEGIN_SENTENCE, END_WORD],
                *(characters(word, self.options.most_characters) for word in sentence),
                [BEGIN_WORD, END_SENTENCE, END_WORD],
            ]
            for sentence in sentences
        ]
        lengths = torch.tensor([len(row) for row in rows])
        inside = torch.arange(int(lengths.max())) < lengths[:, None]
        words = self._words([ids for row in rows for ids in row])
        inputs = words.new_zeros(*inside.shape, words.shape[1])
        inputs[inside] = words
        return self._contexts(inputs, inside)

    def _words(self, rows: list[list[int]]) -> Tensor:
        """The vectors of words, given as characters. Equal words are computed once."""
        # All windows of pure padding give the same value and the maximum is taken, so one of them is enough.
        longest = min(self.options.most_characters, max(map(len, rows)) + self.options.widest)
        padded = np.array([ids + [PADDING] * (longest - len(ids)) for ids in rows])
        distinct, back = np.unique(padded, axis=0, return_inverse=True)
        parts = [self._convolve(ids) for ids in torch.split(torch.from_numpy(distinct), WORDS)]
        return torch.cat(parts)[torch.from_numpy(back.ravel())]

    def _convolve(self, ids: Tensor) -> Tensor:
        embedded = self.weights["char_embed"][ids].transpose(1, 2)
        pooled = []
        for at in range(len(self.options.filters)):
            kernel = self.weights[f"CNN/W_cnn_{at}"][0].permute(2, 1, 0)
            pooled.append(torch.conv1d(embedded, kernel, self.weights[f"CNN/b_cnn_{at}"]).amax(dim=2))
        made: Tensor = getattr(torch, self.options.activation)(torch.cat(pooled, dim=1))
        for at in range(self.options.highways):
            gate = self._linear(f"CNN_high_{at}", "carry", made).sigmoid()
            made = gate * self._linear(f"CNN_high_{at}", "transform", made).relu() + (1 - gate) * made
        return self._linear("CNN_proj", "proj", made)

    def _linear(self, group: str, name: str, inputs: Tensor) -> Tensor:
        return torch.addmm(self.weights[f"{group}/b_{name}"], inputs, self.weights[f"{group}/W_{name}"])

    def _contexts(self, inputs: Tensor, inside: Tensor) -> Tensor:
        places = range(inputs.shape[1])
        directions = []
        for direction, order in enumerate((places, places[::-1])):
            layers = [inputs]
            for layer in range(LSTM_LAYERS):
                outputs = self._lstm(lstm_name(direction, layer), layers[-1], inside, order)
                layers.append(outputs + layers[-1] if layer and self.options.skip else outputs)
            directions.append(torch.stack(layers))
        return torch.cat(directions, dim=3)

    def _lstm(self, name: str, inputs: Tensor, inside: Tensor, order: Iterable[int]) -> Tensor:
        """An LSTM that clips its cells, and projects and clips its outputs before it feeds them back."""
        weight, bias, projection = (self.weights[f"{name}/{part}"] for part in ("W_0", "B", "W_P_0"))
        cell_clip, state_clip = self.options.cell_clip, self.options.state_clip
        output = inputs.new_zeros(len(inputs), projection.shape[1])
        cell = inputs.new_zeros(len(inputs), len(projection))
        outputs = torch.empty_like(inputs)
        for place in order:
            gates = torch.addmm(bias, torch.cat((inputs[:, place], output), dim=1), weight)
            enter, candidate, keep, leave = gates.chunk(4, dim=1)
            # TensorFlow adds 1 to the forget gate at run time, so the stored bias does not include it.
            new_cell = (keep + 1).sigmoid() * cell + enter.sigmoid() * candidate.tanh()
            new_cell = new_cell.clamp(-cell_clip, cell_clip)
            new_output = ((leave.sigmoid() * new_cell.tanh()) @ projection).clamp(-state_clip, state_clip)
            reads = inside[:, place, None]
            cell, output = torch.where(reads, new_cell, cell), torch.where(reads, new_output, output)
            outputs[:, place] = output
        return outputs
