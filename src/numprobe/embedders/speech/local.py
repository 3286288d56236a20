"""A causal language model on this machine, asked in words: in batches, what questions share being read once."""

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from numprobe.embedders.pretrained import TOKENIZER, load_pretrained
from numprobe.embedders.speech import Dialogue, Reply
from numprobe.embedders.states import States
from numprobe.errors import NumprobeError

if TYPE_CHECKING:
    import torch

TOGETHER = 32
"""Questions that are answered at once."""

Change = Callable[["torch.Tensor"], "torch.Tensor"]
"""Takes and gives (places, dimension) states, in double precision."""
Source = tuple[str, str, str, bool, str]
"""Where a model comes from: source, GGUF file, commit, whether to trust its code, revision."""


@dataclass(frozen=True)
class LocalSpeaker:
    source: Source
    dtype: str
    device: str
    device_map: str
    has_start: bool
    """Whether to put a start token first where the tokenizer puts none there."""
    style: str
    pieces: int
    """The most word pieces in an answer."""

    @property
    def about(self) -> list[str]:
        source, gguf, commit, _, revision = self.source
        return [revision or f"{source} {commit}", gguf, self.dtype, str(self.has_start), self.style, str(self.pieces)]

    @cached_property
    def model(self) -> Any:
        return _load_writer(self.source, self.dtype, self.device, self.device_map)[0]

    @cached_property
    def tokenizer(self) -> Any:
        return _load_writer(self.source, self.dtype, self.device, self.device_map)[1]

    def ids(self, dialogue: Dialogue) -> list[int]:
        """What the model reads."""
        return self._tokenised(self._whole(dialogue))[0]

    def _whole(self, dialogue: Dialogue) -> str:
        """The text that the model reads, with the marks of a chat."""
        if self.style != "chat":
            return dialogue.text
        if not self.tokenizer.chat_template:
            raise NumprobeError(f"{self.source[0]} has no chat template: ask it with style=text")
        return str(self.tokenizer.apply_chat_template(dialogue.messages, add_generation_prompt=True, tokenize=False))

    def _tokenised(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The pieces of a text, and where each stands in it; the start token stands nowhere."""
        adds = self.style != "chat"  # a template has its own
        made = self.tokenizer(text, add_special_tokens=adds, return_offsets_mapping=True, verbose=False)
        start = self.start if adds else []
        return start + list(made["input_ids"]), [(0, 0)] * len(start) + list(made["offset_mapping"])

    def states(self, dialogues: Sequence[Dialogue], spans: Sequence[Sequence[tuple[int, int]]]) -> np.ndarray:
        """(layers, dialogues, spans + 1, dimension): the states at the last piece of each span, and of everything.

        The spans are those of numbers in the questions.
        """
        located = [self.located(one, own) for one, own in zip(dialogues, spans, strict=True)]
        read: list[np.ndarray] = [np.empty(0)] * len(located)
        for at, found in States(self.model.base_model).of([ids for ids, _ in located]):
            ids, places = located[at]
            read[at] = found[:, [*(own[-1] for own in places), len(ids) - 1]].numpy()
        return np.stack(read, axis=1)

    def located(self, dialogue: Dialogue, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[list[int]]]:
        """What the model reads, and the places of the pieces of each span of the question."""
        whole = self._whole(dialogue)
        shift = whole.rindex(dialogue.question)
        ids, offsets = self._tokenised(whole)
        return ids, [
            [at for at, (first, last) in enumerate(offsets) if first < shift + end and last > shift + start]
            for start, end in spans
        ]

    @cached_property
    def start(self) -> list[int]:
        """The token that is put before every text: one or none."""
        return first_token(self.tokenizer)[1] if self.has_start else []

    def estimate(self, dialogues: Sequence[Dialogue]) -> int:
        return sum(len(self.ids(one)) for one in dialogues)

    def say(self, dialogues: Sequence[Dialogue]) -> Iterator[dict[Dialogue, Reply]]:
        asked = {one: self.ids(one) for one in dialogues}
        order = sorted(asked, key=lambda one: asked[one])  # so that a batch shares its beginning
        for first in range(0, len(order), TOGETHER):
            some = order[first : first + TOGETHER]
            written = self._write([asked[one] for one in some])
            yield {
                one: Reply(self._line(pieces)[0], len(asked[one]), len(pieces))
                for one, pieces in zip(some, written, strict=True)
            }

    def weigh(self, dialogues: Sequence[Dialogue], candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """Each candidate with the end of the answer, or 1 would be at least as likely as 12."""
        ends = self._ends
        answers = [[self._candidate(text) + ends for text in texts] for texts in candidates]
        found: list[list[float]] = []
        for first in range(0, len(dialogues), TOGETHER):
            some = slice(first, first + TOGETHER)
            found += self._weighed([self.ids(one) for one in dialogues[some]], answers[some])
        return found

    @property
    def _ends(self) -> list[int]:
        if self.style == "chat":
            return [self.tokenizer.eos_token_id]
        return list(self.tokenizer("\n", add_special_tokens=False).input_ids)[-1:]

    def _candidate(self, text: str) -> list[int]:
        """The pieces of an answer after those of a question."""
        gap = "" if self.style == "chat" else " "
        whole: list[int] = self.tokenizer(f"={gap}{text}", add_special_tokens=False).input_ids
        return whole[len(self.tokenizer("=", add_special_tokens=False).input_ids) :]

    def _read(self, prompts: Sequence[list[int]], shares: bool = True) -> "tuple[Any, torch.Tensor, torch.Tensor]":
        """Read prompts, their common beginning once; the cache, which places it holds, and the (prompts, words) scores.

        The rest of the prompts is padded on the left.
        """
        import torch

        alike = takewhile(lambda pieces: len(set(pieces)) == 1, zip(*(prompt[:-1] for prompt in prompts), strict=False))
        shared = [pieces[0] for pieces in alike] if shares else []
        past = None
        if shared:
            past = self._step(
                torch.tensor([shared]), torch.ones(1, len(shared), dtype=torch.long), None
            ).past_key_values
            past.batch_repeat_interleave(len(prompts))
        rests = [prompt[len(shared) :] for prompt in prompts]
        longest = max(map(len, rests))
        ids = torch.tensor([[0] * (longest - len(rest)) + rest for rest in rests])
        inside = torch.tensor([[0] * (longest - len(rest)) + [1] * len(rest) for rest in rests])
        seen = torch.cat([inside.new_ones(len(prompts), len(shared)), inside], dim=1)
        step = self._step(ids, seen, past)
        return step.past_key_values, seen, step.logits[:, -1].float().cpu()

    def _step(self, ids: "torch.Tensor", seen: "torch.Tensor", past: Any, keep: int = 1) -> Any:
        """Read more pieces after those in the cache. `seen` marks all pieces, old and new, that are not padding."""
        import torch

        places = (seen.cumsum(1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        there = {"input_ids": ids, "attention_mask": seen, "position_ids": places}
        with torch.inference_mode():
            return self.model(
                **{name: given.to(self.model.device) for name, given in there.items()},
                past_key_values=past,
                use_cache=True,
                logits_to_keep=keep,
            )

    def changed(
        self, prompts: Sequence[list[int]], places: Sequence[Sequence[int]], layer: int, change: "Change"
    ) -> list[str]:
        """What the model says where the states after a layer are changed at some places of each prompt."""
        import torch

        said: list[str] = []
        for first in range(0, len(prompts), TOGETHER):
            some = prompts[first : first + TOGETHER]
            longest = max(map(len, some))
            marked = torch.zeros(len(some), longest, dtype=torch.bool)
            for row, (prompt, own) in enumerate(zip(some, places[first : first + TOGETHER], strict=True)):
                marked[row, [longest - len(prompt) + place for place in own]] = True

            def hook(module: Any, inputs: Any, output: Any, marked: torch.Tensor = marked) -> Any:
                hidden = output[0] if isinstance(output, tuple) else output
                hidden = hidden.clone()
                hidden[marked] = change(hidden[marked].double()).to(hidden.dtype)
                return (hidden, *output[1:]) if isinstance(output, tuple) else hidden

            said += [self._line(pieces)[0] for pieces in self._write(some, self._after(layer, hook))]
        return said

    @contextmanager
    def _after(self, layer: int, hook: Any) -> Iterator[None]:
        """Let a hook change what a layer gives on; layer 0 is the input embeddings."""
        import torch

        blocks = next(
            own
            for own in self.model.base_model.modules()
            if isinstance(own, torch.nn.ModuleList) and len(own) == self.model.config.num_hidden_layers
        )
        module = blocks[layer - 1] if layer else self.model.get_input_embeddings()
        handle = module.register_forward_hook(hook)
        try:
            yield
        finally:
            handle.remove()

    def _write(self, prompts: Sequence[list[int]], changing: Any = None) -> list[list[int]]:
        """Continue prompts, greedily, each to the end of its line."""
        import torch

        with changing or nullcontext():
            past, seen, scores = self._read(prompts, shares=changing is None)
        written: list[list[int]] = [[] for _ in prompts]
        running = list(range(len(prompts)))
        for _ in range(self.pieces):
            chosen = scores.argmax(dim=1)
            for row, piece in zip(running, chosen.tolist(), strict=True):
                written[row].append(piece)
            going = [at for at, row in enumerate(running) if not self._line(written[row])[1]]
            if not going or len(written[running[going[0]]]) == self.pieces:
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

    def _weighed(self, prompts: Sequence[list[int]], answers: Sequence[Sequence[list[int]]]) -> list[list[float]]:
        import torch

        past, seen, scores = self._read(prompts)
        owners = torch.tensor([at for at, own in enumerate(answers) for _ in own])
        flat = [answer for own in answers for answer in own]
        longest = max(map(len, flat))
        ids = torch.tensor([answer + [0] * (longest - len(answer)) for answer in flat])
        inside = torch.tensor([[1] * len(answer) + [0] * (longest - len(answer)) for answer in flat])
        past = copy.deepcopy(past)
        past.batch_select_indices(owners.to(self.model.device))
        step = self._step(ids, torch.cat([seen[owners], inside], dim=1), past, keep=longest)
        each = torch.cat([scores[owners][:, None], step.logits.float().cpu()[:, :-1]], dim=1).log_softmax(dim=2)
        sums = (each.gather(2, ids[:, :, None])[:, :, 0] * inside).sum(dim=1)
        weights = iter(sums.tolist())
        return [[next(weights) for _ in own] for own in answers]

    def _line(self, pieces: list[int]) -> tuple[str, bool]:
        """The first line of what was written, and whether it is complete."""
        special = set(self.tokenizer.all_special_ids)
        kept = list(takewhile(lambda piece: piece not in special, pieces))
        line, newline, _ = self.tokenizer.decode(kept).partition("\n")
        return line.strip(), bool(newline) or len(kept) < len(pieces)


def first_token(tokenizer: Any) -> tuple[str, list[int]]:
    """The token to put before a text that a model reads from left to right, and its ids; nothing if there is none."""
    if any(tokenizer("0", return_special_tokens_mask=True)["special_tokens_mask"][:1]):
        return "", []
    for token, number in ((tokenizer.bos_token, tokenizer.bos_token_id), (tokenizer.eos_token, tokenizer.eos_token_id)):
        if number is not None:
            return token, [number]
    return "", []


@lru_cache(maxsize=1)
def _load_writer(from_where: Source, dtype: str, device: str, device_map: str) -> tuple[Any, Any]:
    """A model with its head, and its tokenizer."""
    source, gguf, commit, trust, _ = from_where
    tokenizer = load_pretrained(TOKENIZER, source, gguf, commit, trust)
    model = load_pretrained("AutoModelForCausalLM", source, gguf, commit, trust, dtype, device_map)
    # An encoder would load too, with a head of random weights; GGUF files don't name an architecture.
    saved = model.config.architectures or [type(model).__name__]
    if not saved[0].endswith(("ForCausalLM", "LMHeadModel")):
        raise NumprobeError(f"{source} holds {saved[0]}, which is not a causal language model: it can't be asked")
    return model if device_map else model.to(device or "cpu"), tokenizer
