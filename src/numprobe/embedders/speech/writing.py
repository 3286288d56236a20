"""A causal language model that continues texts greedily: in batches, and what they share is read once."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from numprobe.embedders.pretrained import TOKENIZER, load_pretrained
from numprobe.embedders.states import common_start, find_blocks, window
from numprobe.errors import NumprobeError

if TYPE_CHECKING:
    import torch

CAUSAL = ("ForCausalLM", "LMHeadModel")
"""How the architectures of causal language models end."""


@dataclass(frozen=True)
class Begun:
    """Prompts that a model has read."""

    past: Any
    """The model's cache of keys and values."""
    seen: "torch.Tensor"
    """(prompts, places): which places of the cache are not padding."""
    scores: "torch.Tensor"
    """(prompts, words): how well each word continues each prompt."""


@dataclass(frozen=True)
class Writer:
    """A model with its head, and its tokenizer. Texts are lists of word pieces."""

    model: Any
    tokenizer: Any

    def read(self, pieces: list[int], past: Any = None) -> Any:
        """The cache after reading more pieces of a single text. `past` grows too: pass a copy to keep it."""
        import torch

        known = past.get_seq_length() if past is not None else 0
        seen = torch.ones(1, known + len(pieces), dtype=torch.long)
        return self._step(torch.tensor([pieces]), seen, past).past_key_values

    @cached_property
    def longest(self) -> float:
        """How many pieces it can read and write in all."""
        return float(getattr(self.model.config, "max_position_embeddings", None) or math.inf)

    def can_pad(self, pieces: int) -> bool:
        """Whether there may be padding behind a text that prompts of so many pieces share.

        It would use up a window, or stretch the distances of a model that counts them by places of the cache.
        """
        return pieces <= window(self.model) and self._pads_alike

    @cached_property
    def _pads_alike(self) -> bool:
        """Whether padding behind a shared text changes nothing, found by trying it."""
        trial = [[1, 2, 3, 4, 5], [1, 2, 3]]
        apart, together = (self._begin(trial, None, shares).scores for shares in (False, True))
        return bool(((together - apart).norm(dim=1) <= 1e-3 * apart.norm(dim=1)).all())

    def begin(self, prompts: Sequence[list[int]], past: Any = None, shares: bool = True, room: int = 0) -> Begun:
        """Read prompts, each after the text in the cache, which grows. What they have in common is read once.

        Their different ends are padded on the left. `room` is how many pieces will follow.
        """
        return self._begin(prompts, past, shares and self.can_pad(max(map(len, prompts)) + room))

    def _begin(self, prompts: Sequence[list[int]], past: Any, shares: bool) -> Begun:
        import torch

        shared = common_start([prompt[:-1] for prompt in prompts]) if shares else []
        if shared:
            past = self.read(shared, past)
        known = 0
        if past is not None:
            known = past.get_seq_length()
            past.batch_repeat_interleave(len(prompts))
        rests = [prompt[len(shared) :] for prompt in prompts]
        longest = max(map(len, rests))
        ids = torch.tensor([[0] * (longest - len(rest)) + rest for rest in rests])
        inside = torch.tensor([[0] * (longest - len(rest)) + [1] * len(rest) for rest in rests])
        seen = torch.cat([inside.new_ones(len(prompts), known), inside], dim=1)
        step = self._step(ids, seen, past)
        return Begun(step.past_key_values, seen, step.logits[:, -1].float().cpu())

    def go_on(self, begun: Begun, most: int) -> list[list[int]]:
        """Continue prompts greedily, each to the end of its line, or for so many pieces. The cache is used up."""
        import torch

        past, seen, scores = begun.past, begun.seen, begun.scores
        written: list[list[int]] = [[] for _ in scores]
        running = list(range(len(scores)))
        for length in range(1, most + 1):
            chosen = scores.argmax(dim=1)
            for row, piece in zip(running, chosen.tolist(), strict=True):
                written[row].append(piece)
            going = [at for at, row in enumerate(running) if not self.line(written[row])[1]]
            if not going or length == most:
                break
            if len(going) < len(running):
                running = [running[at] for at in going]
                index = torch.tensor(going)
                past.batch_select_indices(index.to(self.model.device))
                seen, chosen = seen[index], chosen[index]
            seen = torch.cat([seen, seen.new_ones(len(seen), 1)], dim=1)
            step = self._step(chosen[:, None], seen, past)
            past, scores = step.past_key_values, step.logits[:, -1].float().cpu()
        return written

    def weigh(self, begun: Begun, answers: Sequence[Sequence[list[int]]]) -> list[list[float]]:
        """The logarithm of how likely each answer to each prompt is. The cache is used up."""
        import torch

        owners = torch.tensor([at for at, own in enumerate(answers) for _ in own])
        flat = [answer for own in answers for answer in own]
        longest = max(map(len, flat))
        ids = torch.tensor([answer + [0] * (longest - len(answer)) for answer in flat])
        inside = torch.tensor([[1] * len(answer) + [0] * (longest - len(answer)) for answer in flat])
        begun.past.batch_select_indices(owners.to(self.model.device))
        step = self._step(ids, torch.cat([begun.seen[owners], inside], dim=1), begun.past, keep=longest)
        each = torch.cat([begun.scores[owners][:, None], step.logits.float().cpu()[:, :-1]], dim=1).log_softmax(dim=2)
        sums = iter((each.gather(2, ids[:, :, None])[:, :, 0] * inside).sum(dim=1).tolist())
        return [[next(sums) for _ in own] for own in answers]

    @contextmanager
    def after(self, layer: int, hook: Any) -> Iterator[None]:
        """Let a hook change what a layer passes on; layer 0 is the input embeddings."""
        holder, name = find_blocks(self.model.base_model)
        blocks = getattr(holder, name)
        if layer:
            handle = blocks[layer - 1].register_forward_hook(hook)
        else:  # what the first block reads, which may hold more than the embeddings: places, or a scale

            def before(module: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
                return (hook(module, (), inputs[0]), *inputs[1:])

            handle = blocks[0].register_forward_pre_hook(before)
        try:
            yield
        finally:
            handle.remove()

    def line(self, pieces: list[int]) -> tuple[str, bool]:
        """The first line of what was written, and whether it is complete."""
        kept = list(takewhile(lambda piece: piece not in self._special, pieces))
        line, newline, _ = self.tokenizer.decode(kept).partition("\n")
        return line.strip(), bool(newline) or len(kept) < len(pieces)

    @cached_property
    def _special(self) -> frozenset[int]:
        return frozenset(self.tokenizer.all_special_ids)

    def _step(self, ids: "torch.Tensor", seen: "torch.Tensor", past: Any, keep: int = 1) -> Any:
        """Read more pieces after those in the cache. `seen` marks all pieces, old and new, that are not padding."""
        import torch

        places = (seen.cumsum(1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        there = {"input_ids": ids, "attention_mask": seen, "position_ids": places}
        with torch.inference_mode():
            made = self.model(
                **{name: given.to(self.model.device) for name, given in there.items()},
                past_key_values=past,
                use_cache=True,
                logits_to_keep=keep,
            )
        if getattr(made, "past_key_values", None) is None:
            raise NumprobeError(
                f"a {type(self.model).__name__} keeps no keys and values, so it can't be asked in words"
            )
        return made


@lru_cache(maxsize=1)
def load_writer(
    source: str,
    gguf: str,
    commit: str,
    trust: bool,
    revision: str = "",
    dtype: str = "float32",
    device: str = "",
    device_map: str = "",
) -> Writer:
    """A causal language model from a folder or the hub. A new revision is loaded anew."""
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    if not tokenizer.is_fast:
        raise NumprobeError(f"{source} has no fast tokenizer, which tells where each word piece stands in a text")
    model = load_pretrained("AutoModelForCausalLM", source, gguf, commit, trust, dtype, device_map)
    # An encoder would load too, with a head of random weights; GGUF files don't name an architecture.
    saved = model.config.architectures or [type(model).__name__]
    if not saved[0].endswith(CAUSAL):
        raise NumprobeError(f"{source} holds {saved[0]}, which is not a causal language model: it can't be asked")
    return Writer(model if device_map else model.to(device or "cpu"), tokenizer)
