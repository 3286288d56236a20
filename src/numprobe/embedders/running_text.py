"""The states of the words of a running text, in overlapping windows where it is longer than the model reads."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from numprobe.embedders.states import States

Places = Sequence[tuple[int, int]]
"""Where each word starts and ends."""
LONGEST_WINDOW = 512
"""Word pieces: attention takes time quadratic in their number."""


def encode_words(
    states: States, tokenizer: Any, layer: int, texts: Sequence[str], places: Sequence[Places]
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each text's index and the (words, dimension) states, in any order; zeros for a word without a piece."""
    before, after = _frame(tokenizer)
    positions = getattr(states.model.config, "max_position_embeddings", None) or LONGEST_WINDOW
    longest = min(LONGEST_WINDOW, positions, tokenizer.model_max_length) - len(before) - len(after)
    windows: list[tuple[int, int, int, int]] = []
    pieces: list[list[int]] = []
    offsets = []
    for at, text in enumerate(texts):
        made = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        offsets.append(made["offset_mapping"])
        for start, first, last in windows_of(len(made["input_ids"]), longest):
            windows.append((at, start, first, last))
            pieces.append(before + made["input_ids"][start : start + longest] + after)
    read: list[dict[int, np.ndarray]] = [{} for _ in texts]
    left = [sum(window[0] == at for window in windows) for at in range(len(texts))]
    for place, found in states.of(pieces, layer):
        at, start, first, last = windows[place]
        read[at][first] = found[layer, len(before) + first - start : len(before) + last - start].numpy()
        left[at] -= 1
        if not left[at]:
            whole = np.concatenate([read[at][key] for key in sorted(read[at])])
            yield at, _of_words(whole, offsets[at], places[at])
            read[at] = {}


def windows_of(pieces: int, longest: int) -> Iterator[tuple[int, int, int]]:
    """The start of each window, and the first and the end of the pieces that are read there, far from its borders.

    >>> list(windows_of(5, 8)), list(windows_of(10, 8))
    ([(0, 0, 5)], [(0, 0, 5), (2, 5, 10)])
    """
    starts = [*range(0, max(pieces - longest, 0), max(longest // 2, 1)), max(pieces - longest, 0)]
    first = 0
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        end = pieces if following is None else (following + start + longest) // 2
        yield start, first, end
        first = end


def _of_words(states: np.ndarray, offsets: Places, places: Places) -> np.ndarray:
    """The mean state of the pieces in each word."""
    made = np.zeros((len(places), states.shape[1]), np.float32)
    first = 0
    for row, (start, end) in enumerate(places):
        while first < len(offsets) and offsets[first][1] <= start:
            first += 1
        last = first
        while last < len(offsets) and offsets[last][0] < end:
            last += 1
        if last > first:
            made[row] = states[first:last].mean(axis=0)
    return made


def _frame(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The special pieces that a tokenizer puts before and after a text."""
    made = tokenizer("a", return_special_tokens_mask=True)
    inside = [place for place, special in enumerate(made["special_tokens_mask"]) if not special]
    return made["input_ids"][: inside[0]], made["input_ids"][inside[-1] + 1 :]
