"""Time questions in words, in batches whose beginning is read once, against a plain loop over `generate`."""

import time

import torch
from measuring import record

from numprobe.embedders import load_embedder
from numprobe.embedders.speech import Dialogue
from numprobe.embedders.speech.local import LocalSpeaker

QUESTIONS = 32
EXAMPLES = (("36 + 80 =", "116"), ("46 + 77 =", "123"), ("5 + 12 =", "17"), ("91 + 8 =", "99"))


def plain(speaker: LocalSpeaker, dialogue: Dialogue) -> str:
    """One question at a time; like ours it stops at the end of the line."""
    ids = torch.tensor([speaker.ids(dialogue)])
    options = {"attention_mask": torch.ones_like(ids), "stop_strings": ["\n"], "tokenizer": speaker.tokenizer}
    with torch.inference_mode():
        made = speaker.model.generate(ids, max_new_tokens=speaker.pieces, do_sample=False, pad_token_id=0, **options)
    text: str = speaker.tokenizer.decode(made[0, ids.shape[1] :], skip_special_tokens=True)
    return text.partition("\n")[0].strip()


def main() -> None:
    torch.set_num_threads(1)
    speaker = load_embedder("smollm2-135m").speaker("text", 12)
    asked = [Dialogue(f"{7 * n % 100} + {13 * n % 100} =", EXAMPLES) for n in range(1, QUESTIONS + 1)]
    plain(speaker, asked[0])  # load
    start = time.perf_counter()
    ours = {one: reply.text for some in speaker.say(asked) for one, reply in some.items()}
    in_batches = time.perf_counter()
    theirs = {one: plain(speaker, one) for one in asked}
    one_by_one = time.perf_counter() - in_batches
    in_batches -= start
    same = sum(ours[one] == theirs[one] for one in asked) / len(asked)
    record(
        f"{QUESTIONS} questions in words, SmolLM2 135M, four shots",
        questions_per_second=QUESTIONS / in_batches,
        plain_loop_per_second=QUESTIONS / one_by_one,
        times_faster=one_by_one / in_batches,
        same_answers=same,
    )


if __name__ == "__main__":
    main()
